/* The flame graph: zoom and search.  The picture is there without it.  */
(function () {
  'use strict';
  document.documentElement.classList.add ('scripted');
  document.querySelectorAll ('.flame').forEach (function (flame) {
    var svg = flame.querySelector ('svg');
    var frames = Array.from (svg.querySelectorAll ('g[role]'));
    var about = flame.querySelector ('.about');
    var search = flame.querySelector ('input');
    var reset = flame.querySelector ('button');
    var width = 1200;
    var all = frames.map (function (g) {
      return { g: g, rect: g.querySelector ('rect'),
               text: g.querySelector ('text'),
               name: g.getAttribute ('data-name'),
               x: +g.getAttribute ('data-x'), w: +g.getAttribute ('data-w'),
               depth: +g.getAttribute ('data-depth') };
    });
    function fit (frame, w) {
      var room = Math.floor ((w - 6) / 6.7), name = frame.name;
      if (!frame.text) return;
      frame.text.textContent = room < 3 ? ''
        : name.length <= room ? name : name.slice (0, room - 1) + '…';
    }
    function zoom (to) {
      var scale = 1 / to.w;
      all.forEach (function (frame) {
        var x = (frame.x - to.x) * scale, w = frame.w * scale;
        var isIn = frame.depth < to.depth
          ? frame.x <= to.x && frame.x + frame.w >= to.x + to.w - 1e-7
          : x >= -1e-7 && x + w <= 1 + 1e-7;
        frame.g.style.display = isIn ? '' : 'none';
        if (!isIn) return;
        x = Math.max (x, 0); w = Math.min (w, 1 - x);
        frame.rect.setAttribute ('x', x * width);
        frame.rect.setAttribute ('width', Math.max (w * width - .5, .2));
        if (frame.text) frame.text.setAttribute ('x', x * width + 3);
        fit (frame, w * width);
      });
      about.textContent = to.g.getAttribute ('aria-label');
    }
    function find () {
      var word = search.value.toLowerCase (), n = 0, share = 0, end = -1;
      all.forEach (function (frame) {
        var isFound = word && frame.name.toLowerCase ().includes (word);
        frame.g.classList.toggle ('found', !!isFound);
        if (isFound) n++;
      });
      all.filter (function (frame) { return frame.g.classList.contains ('found'); })
        .sort (function (a, b) { return a.x - b.x || b.w - a.w; })
        .forEach (function (frame) {
          if (frame.x < end - 1e-7) return;
          share += frame.w; end = frame.x + frame.w;
        });
      about.textContent = word ? n + ' frames, '
        + (share * 100).toFixed (1) + ' % of the cycles' : '';
    }
    function move (from, by) {
      var list = all.filter (function (frame) {
        return frame.g.style.display !== 'none'
          && frame.depth === from.depth + (by.depth || 0)
          && (!by.depth || (by.depth > 0
              ? frame.x >= from.x - 1e-7 && frame.x + frame.w <= from.x + from.w + 1e-7
              : frame.x <= from.x + 1e-7 && frame.x + frame.w >= from.x + from.w - 1e-7));
      }).sort (function (a, b) { return a.x - b.x; });
      var to = by.depth ? list.sort (function (a, b) { return b.w - a.w; })[0]
        : list[list.indexOf (from) + by.side];
      if (!to) return;
      from.g.setAttribute ('tabindex', '-1');
      to.g.setAttribute ('tabindex', '0');
      to.g.focus ();
      about.textContent = to.g.getAttribute ('aria-label');
    }
    all.forEach (function (frame) {
      frame.g.addEventListener ('click', function () { zoom (frame); });
      frame.g.addEventListener ('mouseenter', function () {
        about.textContent = frame.g.getAttribute ('aria-label');
      });
      frame.g.addEventListener ('keydown', function (event) {
        var keys = { ArrowLeft: { side: -1 }, ArrowRight: { side: 1 },
                     ArrowUp: { depth: 1 }, ArrowDown: { depth: -1 } };
        if (event.key === 'Enter' || event.key === ' ') zoom (frame);
        else if (event.key === 'Escape') zoom (all[0]);
        else if (keys[event.key]) move (frame, keys[event.key]);
        else return;
        event.preventDefault ();
      });
    });
    search.addEventListener ('input', find);
    reset.addEventListener ('click', function () {
      search.value = ''; find (); zoom (all[0]);
    });
  });
} ());
