// WaymarkClient
