/* The settings that hal_setting has asked for: without them it asks again. */
#ifndef SANVP_HAL_RISCV_SETTINGS_H
#define SANVP_HAL_RISCV_SETTINGS_H

struct setting;
extern struct setting* hal_riscv_settings;

#endif
