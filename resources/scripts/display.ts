/** Whether a window can be shown to a person on this machine. */

/** True on Windows and macOS, and on Linux with an X or Wayland display. */
export const hasDisplay = (): boolean =>
  process.platform !== 'linux' || ['DISPLAY', 'WAYLAND_DISPLAY'].some((name) => process.env[name])
