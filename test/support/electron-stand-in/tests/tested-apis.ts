/** The members of Electron that the till uses, by the test that holds their behaviour: a file, and the beginning of a title. */
export const TESTED_APIS: readonly (readonly [test: string, apis: readonly string[]])[] = [
  [
    'lifecycle.test.ts › emits its lifecycle',
    [
      'App.whenReady',
      'App.isReady',
      'App.quit',
      "App 'before-quit'",
      "App 'will-quit'",
      "BrowserWindow 'closed'"
    ]
  ],
  ['lifecycle.test.ts › quits when the', ["App 'window-all-closed'"]],
  ['lifecycle.test.ts › app.exit ends with', ['App.exit']],
  ['lifecycle.test.ts › app.relaunch starts', ['App.relaunch']],
  ['single-instance.test.ts › the first process', ['App.requestSingleInstanceLock', "App 'second-instance'"]],
  ['single-instance.test.ts › is free again', ['App.releaseSingleInstanceLock']],
  [
    'system.test.ts › app returns the',
    [
      'App.getVersion',
      'App.isPackaged',
      'App.getAppPath',
      'App.getPath',
      'App.getLocale',
      'App.getLocaleCountryCode',
      'App.getPreferredSystemLanguages',
      'App.commandLine',
      'CommandLine.hasSwitch',
      'CommandLine.getSwitchValue'
    ]
  ],
  ['navigation.test.ts › denies windows', ["App 'web-contents-created'", 'WebContents.setWindowOpenHandler']],
  [
    'navigation.test.ts › emits will-navigate',
    [
      "WebContents 'will-navigate'",
      'WebContentsWillNavigateEventParams.url',
      'BrowserWindow.loadURL',
      'WebContents.getURL'
    ]
  ],
  ['navigation.test.ts › asks will-redirect', ["WebContents 'will-redirect'"]],
  [
    'crash.test.ts › emits render-process-gone',
    [
      "WebContents 'render-process-gone'",
      "WebContents 'did-finish-load'",
      'RenderProcessGoneDetails.reason',
      'WebContents.reload',
      'WebContents.id'
    ]
  ],
  [
    'ipc.test.ts › passes the sender',
    [
      'IpcMain.handle',
      'IpcMainInvokeEvent.sender',
      'IpcMainInvokeEvent.senderFrame',
      'WebFrameMain.url',
      'WebFrameMain.parent',
      'BrowserWindow.fromWebContents',
      'IpcRenderer.invoke'
    ]
  ],
  ['ipc.test.ts › carries messages', ['WebContents.send', 'IpcRenderer.on', 'IpcRenderer.off']],
  ['bridge.test.ts › exposes the API', ['ContextBridge.exposeInMainWorld']],
  ['bridge.test.ts › clearCache frees', ['WebFrame.clearCache']],
  ['lifecycle.test.ts › the end of', ["BrowserWindow 'session-end'"]],
  [
    'window.test.ts › is placed by',
    ['new BrowserWindow', 'BrowserWindow.getBounds', 'CommandLine.appendSwitch']
  ],
  ['window.test.ts › resizes within', ["BrowserWindow 'move'"]],
  [
    'window.test.ts › emits ready-to-show',
    ["BrowserWindow 'ready-to-show'", 'BrowserWindow.show', 'BrowserWindow.isVisible']
  ],
  [
    'window.test.ts › opens hidden windows,',
    [
      'BrowserWindow.showInactive',
      'BrowserWindow.focus',
      "BrowserWindow 'focus'",
      'BrowserWindow.destroy',
      'BrowserWindow.getAllWindows'
    ]
  ],
  ['window.test.ts › is minimised without', ['BrowserWindow.isMinimized', 'BrowserWindow.restore']],
  ['window.test.ts › fills its display', ['BrowserWindow.setKiosk']],
  [
    'window.test.ts › throws "Object',
    ['BrowserWindow.isDestroyed', 'BrowserWindow.id', 'BrowserWindow.webContents', 'WebContents.isDestroyed']
  ],
  [
    'window.test.ts › knows the displays',
    [
      'Screen.getAllDisplays',
      'Screen.getPrimaryDisplay',
      'Screen.getDisplayMatching',
      'Display.bounds',
      'Display.id',
      'Display.label',
      'Display.size',
      'Display.workArea',
      'Display.workAreaSize'
    ]
  ],
  [
    'window.test.ts › emits when a',
    ["Screen 'display-added'", "Screen 'display-removed'", "Screen 'display-metrics-changed'"]
  ],
  [
    'strict.test.ts › members that the',
    [
      'BrowserWindow.setAlwaysOnTop',
      "WebContents 'will-attach-webview'",
      "App 'activate'",
      "App 'open-url'",
      'App.setAppUserModelId'
    ]
  ],
  [
    'system.test.ts › dialogs return',
    [
      'Dialog.showMessageBox',
      'MessageBoxReturnValue.response',
      'Dialog.showSaveDialog',
      'SaveDialogReturnValue.canceled',
      'SaveDialogReturnValue.filePath'
    ]
  ],
  ['system.test.ts › dialog.%s throws', ['Dialog.showErrorBox']],
  ['system.test.ts › has the default', ['Menu.setApplicationMenu', 'Menu.buildFromTemplate']],
  [
    'system.test.ts › nativeTheme.themeSource sets',
    ['NativeTheme.themeSource', 'NativeTheme.shouldUseDarkColors']
  ],
  [
    'system.test.ts › powerMonitor emits',
    [
      "PowerMonitor 'lock-screen'",
      "PowerMonitor 'resume'",
      "PowerMonitor 'suspend'",
      'PowerMonitor.getSystemIdleTime',
      'PowerMonitor.getSystemIdleState'
    ]
  ],
  [
    'system.test.ts › encrypts a text',
    [
      'SafeStorage.encryptStringAsync',
      'SafeStorage.decryptStringAsync',
      'DecryptStringAsyncReturnValue.result'
    ]
  ],
  [
    'system.test.ts › with the keyring',
    [
      'SafeStorage.getSelectedStorageBackend',
      'SafeStorage.isAsyncEncryptionAvailable',
      'SafeStorage.setUsePlainTextEncryption'
    ]
  ],
  ['protocol.test.ts › takes privileges', ['Protocol.registerSchemesAsPrivileged']],
  ['protocol.test.ts › serves a body', ['Protocol.handle']],
  ['session.test.ts › lets the permission', ['Session.setPermissionRequestHandler']],
  [
    'session.test.ts › asks the check',
    ['Session.setPermissionCheckHandler', 'Session.setDevicePermissionHandler', 'Session.clearCache']
  ],
  ['session.test.ts › emits will-download', ["Session 'will-download'"]],
  ['net.test.ts › rejects with plain', ['Net.fetch']],
  ['net.test.ts › has a network', ['Net.isOnline']],
  [
    'net.test.ts › ends what is',
    ['Session.defaultSession', 'Session.fromPartition', 'Session.fetch', 'Session.closeAllConnections']
  ],
  [
    'net.test.ts › has the app’s',
    ['Session.webRequest', 'WebRequest.onBeforeRequest', 'OnBeforeRequestListenerDetails.url']
  ],
  [
    'utility-process.test.ts › runs an ES',
    [
      'UtilityProcess.fork',
      'UtilityProcess.postMessage',
      "UtilityProcess 'spawn'",
      "UtilityProcess 'message'",
      "UtilityProcess 'exit'"
    ]
  ],
  ['utility-process.test.ts › kills a child,', ['UtilityProcess.kill']],
  ['utility-process.test.ts › emits error with', ["UtilityProcess 'error'"]]
]
