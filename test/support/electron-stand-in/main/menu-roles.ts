import { refuse } from '../strict.ts'
import { quit } from './lifecycle.ts'
import type { MenuItemOptions } from './menu.ts'
import { recorder } from './recorder.ts'
import { windows } from './windows.ts'

interface RoleDefaults {
  readonly label?: string
  readonly accelerator?: string
  readonly submenu?: readonly MenuItemOptions[]
}

interface Role extends RoleDefaults {
  readonly run?: () => void
}

const edit = (label: string, accelerator: string | undefined, command: string): Role => ({
  label,
  ...(accelerator !== undefined && { accelerator }),
  run: () => void windows.focused()?.webContents.executeJavaScript(`document.execCommand('${command}')`, true)
})

const zoom = (change: (level: number) => number) => (): void => {
  const contents = windows.focused()?.webContents
  contents?.setZoomLevel(change(contents.getZoomLevel()))
}

const ROLES: Readonly<Record<string, Role>> = {
  about: { label: 'About', run: () => recorder.record('app.showAboutPanel') },
  close: { label: 'Close Window', accelerator: 'CommandOrControl+W', run: () => windows.focused()?.close() },
  copy: edit('Copy', 'CommandOrControl+C', 'copy'),
  cut: edit('Cut', 'CommandOrControl+X', 'cut'),
  delete: edit('Delete', undefined, 'delete'),
  paste: edit('Paste', 'CommandOrControl+V', 'paste'),
  pasteandmatchstyle: edit('Paste and Match Style', 'Shift+CommandOrControl+V', 'paste'),
  redo: edit('Redo', 'Control+Y', 'redo'),
  selectall: edit('Select All', 'CommandOrControl+A', 'selectAll'),
  undo: edit('Undo', 'CommandOrControl+Z', 'undo'),
  forcereload: {
    label: 'Force Reload',
    accelerator: 'Shift+CmdOrCtrl+R',
    run: () => windows.focused()?.webContents.reloadIgnoringCache()
  },
  reload: { label: 'Reload', accelerator: 'CmdOrCtrl+R', run: () => windows.focused()?.webContents.reload() },
  minimize: {
    label: 'Minimize',
    accelerator: 'CommandOrControl+M',
    run: () => windows.focused()?.minimize()
  },
  quit: { label: 'Quit', accelerator: 'CommandOrControl+Q', run: quit },
  toggledevtools: {
    label: 'Toggle Developer Tools',
    accelerator: process.platform === 'darwin' ? 'Alt+Command+I' : 'Ctrl+Shift+I',
    run: () => windows.focused()?.webContents.toggleDevTools()
  },
  togglefullscreen: {
    label: 'Toggle Full Screen',
    accelerator: process.platform === 'darwin' ? 'Control+Command+F' : 'F11',
    run: () => windows.focused()?.setFullScreen(!windows.focused()?.isFullScreen())
  },
  zoomin: { label: 'Zoom In', accelerator: 'CommandOrControl+Plus', run: zoom((level) => level + 0.5) },
  zoomout: { label: 'Zoom Out', accelerator: 'CommandOrControl+-', run: zoom((level) => level - 0.5) },
  resetzoom: { label: 'Actual Size', accelerator: 'CommandOrControl+0', run: zoom(() => 0) },
  appmenu: { label: 'App', submenu: [{ role: 'about' }, { type: 'separator' }, { role: 'quit' }] },
  filemenu: { label: 'File', submenu: [{ role: process.platform === 'darwin' ? 'close' : 'quit' }] },
  editmenu: {
    label: 'Edit',
    submenu: [
      { role: 'undo' },
      { role: 'redo' },
      { type: 'separator' },
      { role: 'cut' },
      { role: 'copy' },
      { role: 'paste' },
      { role: 'delete' },
      { type: 'separator' },
      { role: 'selectAll' }
    ]
  },
  viewmenu: {
    label: 'View',
    submenu: [
      { role: 'reload' },
      { role: 'forceReload' },
      { role: 'toggleDevTools' },
      { type: 'separator' },
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { type: 'separator' },
      { role: 'togglefullscreen' }
    ]
  },
  windowmenu: { label: 'Window', submenu: [{ role: 'minimize' }, { role: 'close' }] },
  window: { label: 'Window' },
  help: { label: 'Help' },
  hide: {
    label: 'Hide',
    accelerator: 'Command+H',
    run: () => windows.all().forEach((window) => window.hide())
  },
  hideothers: { label: 'Hide Others', accelerator: 'Command+Alt+H' },
  unhide: { label: 'Show All' },
  front: { label: 'Bring All to Front' },
  services: { label: 'Services', submenu: [] },
  zoom: { label: 'Zoom' }
}

/** The label, accelerator and submenu that a role gives an item. @throws for a role the stand-in lacks */
export function roleDefaults(role: string | undefined): RoleDefaults {
  if (role === undefined) return {}
  return ROLES[role] ?? refuse(`the menu role '${role}'`)
}

/** Does what a role does. @returns false when the item has no role that acts, so that its own click runs */
export function runRole(role: string | undefined): boolean {
  const run = role === undefined ? undefined : ROLES[role]?.run
  run?.()
  return run !== undefined
}
