################################################################################
#
# waymark
#
################################################################################

WAYMARK_VERSION = 0.1.0
# From scripts/tarball, on a machine of the same architecture: put it into
# the folder of this file, or point WAYMARK_SITE to where it lies.
WAYMARK_SOURCE = waymark-$(WAYMARK_VERSION)-linux-$(call qstrip,$(BR2_ARCH)).tar.xz
WAYMARK_SITE = $(BR2_EXTERNAL_WAYMARK_PATH)/package/waymark
WAYMARK_SITE_METHOD = file
WAYMARK_LICENSE = \
	Apache-2.0, \
	BSD-2-Clause (libgps), \
	MIT (libGeographicLib, libtomlplusplus), \
	Minpack (libcminpack)
WAYMARK_LICENSE_FILES = \
	usr/share/doc/waymark/LICENSE \
	usr/share/doc/waymark/copyright.libgeographiclib \
	usr/share/doc/waymark/copyright.libcminpack \
	usr/share/doc/waymark/copyright.libgps \
	usr/share/doc/waymark/copyright.libtomlplusplus
# Of the libraries that the program is linked with or opens.
WAYMARK_DEPENDENCIES = dbus expat libiio popt sqlite systemd zlib zstd

define WAYMARK_INSTALL_TARGET_CMDS
	mkdir -p $(TARGET_DIR)
	cp -a $(@D)/usr $(@D)/etc $(TARGET_DIR)/
endef

# As config/waymark.sysusers.
define WAYMARK_USERS
	waymark -1 waymark -1 * /var/lib/waymark - - Waymark pose daemon
	waymark-bridge -1 waymark-bridge -1 * - - - Waymark bridge
	- -1 waymark-change -1 - - - - -
	- -1 waymark-aid -1 - - - - -
endef

$(eval $(generic-package))
