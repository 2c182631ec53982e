/* <elan3/elan3.h>, where programs of QsNET's time look for it: Elan3lib as in elan3lib.h, and names that they read. */
#ifndef SANVP_ELAN3_ELAN3_H
#define SANVP_ELAN3_ELAN3_H

#include "sw/elan3lib/elan3lib.h"

typedef E3_Addr ELAN_ADDR;
typedef uint64_t E3_uint64;
typedef uint32_t E3_uint32;
typedef uint16_t E3_uint16;
typedef uint8_t E3_uint8;

/* Sizes of a DMA's units; the card's own here are bytes. */
#define DMA_BYTE 0
#define DMA_HALFWORD 1
#define DMA_WORD 2
#define DMA_DOUBLE 3

#endif
