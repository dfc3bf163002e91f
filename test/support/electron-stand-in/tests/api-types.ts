/**
 * Checked by the compiler alone: every public member of the stand-in exists in this release of Electron, and returns a
 * promise exactly where Electron's does. Each alias below is `never` when all is well, else the names that differ.
 */
import type { EventEmitter } from 'node:events'
import type { app } from '../main/app.ts'
import type { BrowserWindow } from '../main/browser-window.ts'
import type { ClientRequest } from '../main/client-request.ts'
import type { clipboard } from '../main/clipboard.ts'
import type { dialog } from '../main/dialog.ts'
import type { WebFrameMain } from '../main/frames.ts'
import type { Menu } from '../main/menu.ts'
import type { nativeTheme } from '../main/native-theme.ts'
import type { net } from '../main/net.ts'
import type { powerMonitor } from '../main/power.ts'
import type { protocol } from '../main/protocol.ts'
import type { safeStorage } from '../main/safe-storage.ts'
import type { screen } from '../main/screen.ts'
import type { Session, session } from '../main/session.ts'
import type { UtilityProcess } from '../main/utility-process.ts'
import type { WebContents, webContents } from '../main/web-contents.ts'

type Kind<Member> = Member extends (...args: never[]) => infer Result
  ? [Result] extends [Promise<unknown>]
    ? 'promise'
    : [Promise<unknown>] extends [Result]
      ? 'unknown'
      : 'value'
  : 'property'

type Own<Mine> = Exclude<keyof Mine, keyof EventEmitter | `_${string}` | 'prototype' | 'isDestroyed'>

/** The members of Mine that Real lacks, or that differ in being asynchronous. */
type Differing<Mine, Real> = {
  [Key in Own<Mine>]: Key extends keyof Real
    ? Kind<NonNullable<Mine[Key]>> extends Kind<Real[Key]> | 'unknown'
      ? never
      : Key
    : Key
}[Own<Mine>]

type Same<Difference extends never> = Difference

export type AppDiffers = Same<Differing<typeof app, Electron.App>>
export type WindowDiffers = Same<Differing<BrowserWindow, Electron.BrowserWindow>>
export type WindowStaticsDiffer = Same<
  Exclude<
    Differing<typeof BrowserWindow, typeof Electron.BrowserWindow>,
    'allGone' | 'displaysChanged' | keyof typeof EventEmitter
  >
>
export type ClientRequestDiffers = Same<Differing<ClientRequest, Electron.ClientRequest>>
export type ClipboardDiffers = Same<Differing<typeof clipboard, Electron.Clipboard>>
export type DialogDiffers = Same<Differing<typeof dialog, Electron.Dialog>>
export type FrameDiffers = Same<Differing<WebFrameMain, Electron.WebFrameMain>>
export type MenuDiffers = Same<Differing<Menu, Electron.Menu>>
export type ThemeDiffers = Same<Differing<typeof nativeTheme, Electron.NativeTheme>>
export type NetDiffers = Same<Differing<typeof net, Electron.Net>>
export type PowerMonitorDiffers = Same<Differing<typeof powerMonitor, Electron.PowerMonitor>>
export type ProtocolDiffers = Same<Differing<typeof protocol, Electron.Protocol>>
export type SafeStorageDiffers = Same<Differing<typeof safeStorage, Electron.SafeStorage>>
export type ScreenDiffers = Same<Differing<typeof screen, Electron.Screen>>
export type UtilityProcessDiffers = Same<Differing<UtilityProcess, Electron.UtilityProcess>>
export type SessionDiffers = Same<Differing<Session, Electron.Session>>
export type SessionsDiffer = Same<Differing<typeof session, typeof Electron.session>>
export type WebContentsDiffers = Same<Differing<WebContents, Electron.WebContents>>
export type WebContentsModuleDiffers = Same<Differing<typeof webContents, typeof Electron.webContents>>
