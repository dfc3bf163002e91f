/** The events of `WebContents` that the stand-in knows; subscribing to others throws. */
export const WEB_CONTENTS_EVENTS = [
  'certificate-error',
  'console-message',
  'context-menu',
  'destroyed',
  'devtools-closed',
  'devtools-opened',
  'did-attach-webview',
  'did-create-window',
  'did-fail-load',
  'did-fail-provisional-load',
  'did-finish-load',
  'did-frame-finish-load',
  'did-frame-navigate',
  'did-navigate',
  'did-navigate-in-page',
  'did-redirect-navigation',
  'did-start-loading',
  'did-start-navigation',
  'did-stop-loading',
  'dom-ready',
  'ipc-message',
  'page-title-updated',
  'preload-error',
  'ready-to-show',
  'render-process-gone',
  'responsive',
  'unresponsive',
  'will-attach-webview',
  'will-frame-navigate',
  'will-navigate',
  'will-prevent-unload',
  'will-redirect'
]

/** How Chromium says that a process ended, and how Electron says it. */
export const GONE_REASONS: Readonly<Record<string, string>> = {
  normal: 'clean-exit',
  abnormal: 'abnormal-exit',
  killed: 'killed',
  crashed: 'crashed',
  oom: 'oom',
  'failed to launch': 'launch-failed'
}
