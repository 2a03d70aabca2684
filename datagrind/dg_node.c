/*--------------------------------------------------------------------*/
/*--- Datagrind: the tree of call paths.                 dg_node.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* A node stands for the call sites from the outermost frame to here.  Two
   things keep the tree small and paths within what a CONTEXT can hold:

   - Recursion is folded: a call from a site that is in the path already
     leads back to the node where it first stood.  A site is in a path once,
     and however deep a program recurses, it soon makes no new nodes.
   - A path has at most stack_depth sites, the innermost ones.

   Both happen when a (node, site) pair is first met; from then on a table
   gives the answer, and mostly not even that: see DG_(calls).  */

#include "dg_tool.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"

#define NONE        0xFFFFFFFF
#define PAGE_SIZE   (1 << DG_NODE_PAGE_BITS)

DgNode**      DG_(nodes);
static UInt   max_pages;
static UInt   n_nodes;
static ULong  lost_calls;

/* Open addressing, linear probing; empty: child is NONE.  */
typedef struct {
   Addr site;
   UInt parent;
   UInt child;
} Link;

static Link* links;
static UInt  n_links;
static UInt  max_links;          /* a power of two */

static UInt new_node ( UInt parent, Addr site, UInt depth )
{
   UInt n = n_nodes++;
   if ((n >> DG_NODE_PAGE_BITS) >= max_pages) {
      max_pages = max_pages == 0 ? 64 : 2 * max_pages;
      DG_(nodes) = VG_(realloc)("dg.node.pages", DG_(nodes),
                                max_pages * sizeof(DgNode*));
   }
   if ((n & (PAGE_SIZE - 1)) == 0)
      DG_(nodes)[n >> DG_NODE_PAGE_BITS]
         = VG_(malloc)("dg.node.page", PAGE_SIZE * sizeof(DgNode));
   DgNode* node = DG_(node_at)(n);
   node->site    = site;
   node->parent  = parent;
   node->shorter = NONE;
   node->depth   = depth;
   node->is_signal = False;
   node->has_signal = n != DG_ROOT && DG_(node_at)(parent)->has_signal;
   node->has_script = n != DG_ROOT
                      && (DG_IS_SCRIPT((ULong)site)
                          || DG_(node_at)(parent)->has_script);
   if (n != DG_ROOT)
      DG_(ring_node)(parent, site);
   return n;
}

static UInt link_slot ( UInt parent, Addr site )
{
   ULong h = ((ULong)site ^ ((ULong)parent << 40) ^ parent)
             * 0x9E3779B97F4A7C15ULL;
   UInt  i = (UInt)(h >> 32) & (max_links - 1);
   while (links[i].child != NONE
          && (links[i].parent != parent || links[i].site != site))
      i = (i + 1) & (max_links - 1);
   return i;
}

static void grow_links ( void )
{
   Link* old   = links;
   UInt  n_old = max_links;
   max_links = n_old == 0 ? 1024 : 2 * n_old;
   links = VG_(malloc)("dg.node.links", max_links * sizeof(Link));
   for (UInt i = 0; i < max_links; i++)
      links[i].child = NONE;
   for (UInt i = 0; i < n_old; i++)
      if (old[i].child != NONE)
         links[link_slot(old[i].parent, old[i].site)] = old[i];
   VG_(free)(old);
}

static void add_link ( UInt parent, Addr site, UInt child )
{
   if (2 * (n_links + 1) > max_links)
      grow_links();
   Link* l = &links[link_slot(parent, site)];
   l->parent = parent;
   l->site   = site;
   l->child  = child;
   n_links++;
}

void DG_(node_init) ( void )
{
   grow_links();
   UInt root = new_node(DG_ROOT, 0, 0);
   tl_assert(root == DG_ROOT);
}

/* Where a call from site leads, if it stands in the path already.  */
static UInt fold ( UInt node, Addr site )
{
   for (; node != DG_ROOT; node = DG_(node_at)(node)->parent)
      if (DG_(node_at)(node)->site == site)
         return node;
   return NONE;
}

static Bool budget_left ( void )
{
   if (n_nodes < DG_(opt).max_nodes)
      return True;
   if (lost_calls++ == 0)
      VG_(umsg)("Datagrind: %u call paths seen, the maximum "
                "(--datagrind-max-nodes): calls on new ones are attributed to "
                "their callers.\n", n_nodes);
   return False;
}

static UInt shorter ( UInt node );

/* The node of parent's path and site behind it; makes it if need be.  */
static UInt extend ( UInt parent, Addr site )
{
   UInt slot = link_slot(parent, site);
   if (links[slot].child != NONE)
      return links[slot].child;

   UInt child = DG_(opt).fold ? fold(parent, site) : NONE;
   if (child == NONE) {
      if (!budget_left())
         return parent;
      if (DG_(node_at)(parent)->depth < DG_(opt).stack_depth)
         child = new_node(parent, site, DG_(node_at)(parent)->depth + 1);
      else
         child = extend(shorter(parent), site);
   }
   add_link(parent, site, child);
   return child;
}

/* The path without its outermost site.  Goes up to the first ancestor that
   knows its own, without recursion: the tool's stack is small.  */
static UInt shorter ( UInt node )
{
   Addr sites[256];
   UInt n = 0;
   UInt at = node;
   while (at != DG_ROOT && DG_(node_at)(at)->shorter == NONE
          && DG_(node_at)(at)->depth > 1) {
      sites[n++] = DG_(node_at)(at)->site;
      at = DG_(node_at)(at)->parent;
   }
   UInt s = DG_ROOT;
   if (at != DG_ROOT && DG_(node_at)(at)->depth > 1)
      s = DG_(node_at)(at)->shorter;
   while (n > 0)
      s = extend(s, sites[--n]);
   DG_(node_at)(node)->shorter = s;
   return s;
}

UInt DG_(node_child) ( UInt parent, Addr site )
{
   return extend(parent, site);
}

/* No call has its last byte where an instruction begins: a node is either or
   it is the other.  */
UInt DG_(node_signal) ( UInt parent, Addr ip )
{
   UInt node = extend(parent, ip);
   if (DG_(node_at)(node)->site == ip)
      DG_(node_at)(node)->is_signal = DG_(node_at)(node)->has_signal = True;
   return node;
}

UInt DG_(node_path) ( UInt node, DgUnalignedAddr* sites )
{
   UInt n = 0;
   for (; node != DG_ROOT; node = DG_(node_at)(node)->parent)
      sites[n++] = DG_(node_at)(node)->site;
   return n;
}

/* All there are, for the ring of a forked child.  */
void DG_(nodes_to_ring) ( void )
{
   for (UInt n = 1; n < n_nodes; n++)
      DG_(ring_node)(DG_(node_at)(n)->parent, DG_(node_at)(n)->site);
}

ULong DG_(node_lost_calls) ( void )
{
   return lost_calls;
}

/*--------------------------------------------------------------------*/
/*--- end                                                dg_node.c ---*/
/*--------------------------------------------------------------------*/
