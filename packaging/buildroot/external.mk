include $(sort $(wildcard $(BR2_EXTERNAL_WAYMARK_PATH)/package/*/*.mk))
