/**
 * Electron's fuses: switches in the executable itself, thrown once when the app is packed and before it is signed
 * (https://www.electronjs.org/docs/latest/tutorial/fuses). `strictlyRequireAllFuses` refuses to pack with an Electron
 * that has a fuse which this list does not know.
 */
import { FuseV1Options, FuseVersion, type FuseConfig } from '@electron/fuses'

/** The wire of an installed till: each fuse at its safe setting. */
export const FUSES = {
  /** `ELECTRON_RUN_AS_NODE` would make the till's executable an interpreter for anyone's scripts */
  [FuseV1Options.RunAsNode]: false,
  /** cookies on disk encrypted by the operating system, although the till keeps none */
  [FuseV1Options.EnableCookieEncryption]: true,
  /** `NODE_OPTIONS` could load code into the till */
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  /** `--inspect` could read the token out of the running till */
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  /** a changed app.asar does not start (Windows and macOS; Electron has no such check on Linux) */
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  /** a folder `resources/app` put beside the archive is not looked at */
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  /** there is no snapshot of its own for the main process */
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  /** the page comes over `app://`; `file://` needs no privileges */
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  /** WebAssembly (fonts and PDF pages) catches its memory faults by signal, as in Chromium */
  [FuseV1Options.WasmTrapHandlers]: true
} as const satisfies Record<FuseV1Options, boolean>

/**
 * What is given to `@electron/fuses`.
 * @param driven true: Playwright may drive this build, which takes the inspect fuse, and that one only
 */
export const fuseConfig = (platform: string, driven: boolean): FuseConfig => ({
  version: FuseVersion.V1,
  strictlyRequireAllFuses: true,
  // Changing the executable voids the signature that Electron came with; Apple silicon starts nothing unsigned.
  resetAdHocDarwinSignature: platform === 'darwin',
  ...FUSES,
  [FuseV1Options.EnableNodeCliInspectArguments]: driven
})
