/* Intrusive lists: elements contain their links, in a ring through a separate head, so that an element is removed
 * without a search. */
#ifndef SANVP_SW_LIST_H
#define SANVP_SW_LIST_H

#include <stddef.h>

struct link {
  struct link *next, *previous;
};

static inline void list_init(struct link* head) { head->next = head->previous = head; }

static inline int list_empty(const struct link* head) { return head->next == head; }

static inline void list_append(struct link* head, struct link* link) {
  link->previous = head->previous;
  link->next = head;
  head->previous->next = link;
  head->previous = link;
}

static inline void list_remove(struct link* link) {
  link->previous->next = link->next;
  link->next->previous = link->previous;
  list_init(link); /* removing it twice does no harm */
}

/* The structure that contains a link as its `member`. */
#define LIST_OWNER(link, type, member) ((type*)((char*)(link)-offsetof(type, member)))

#endif
