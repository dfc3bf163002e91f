import { refuse, strict, StrictEmitter } from '../strict.ts'

/** The items of the roles that are menus (lib/browser/api/menu-item-roles.ts), `quit` being the file menu's elsewhere than on macOS. */
const MENUS: Readonly<Record<string, readonly string[]>> = {
  appmenu: ['about', 'services', 'hide', 'hideothers', 'unhide', 'quit'],
  filemenu: [process.platform === 'darwin' ? 'close' : 'quit'],
  editmenu: ['undo', 'redo', 'cut', 'copy', 'paste', 'delete', 'selectall'],
  viewmenu: ['reload', 'forcereload', 'toggledevtools', 'resetzoom', 'zoomin', 'zoomout', 'togglefullscreen'],
  windowmenu: ['minimize', 'close'],
  window: [],
  help: []
}

/** A line of a menu's description, or a line of a menu: here all have roles. */
interface Item {
  readonly role: string
  readonly submenu?: readonly Item[]
}

let applicationMenu: Menu | null = null
let isApplicationMenuSet = false

/** Electron's `Menu`, made of roles. It is not drawn; tests read its items. */
export class Menu extends StrictEmitter {
  readonly items: readonly { readonly role: string; readonly submenu: Menu | null }[]

  private constructor(template: readonly Item[]) {
    super('Menu', [])
    this.items = template.map((item) => {
      const unknown = Object.keys(item).find((key) => key !== 'role' && key !== 'submenu')
      if (unknown !== undefined) refuse(`the option '${unknown}' of a MenuItem`)
      const role = item.role.toLowerCase()
      const submenu = item.submenu ?? MENUS[role]?.map((each) => ({ role: each }))
      return strict('MenuItem', { role, submenu: submenu ? new Menu(submenu) : null })
    })
  }

  static buildFromTemplate(template: readonly Item[]): Menu {
    return new Menu(template)
  }

  static setApplicationMenu(menu: Menu | null): void {
    if (menu !== null && !(menu instanceof Menu)) throw new TypeError('Invalid menu')
    isApplicationMenuSet = true
    applicationMenu = menu
  }

  static getApplicationMenu(): Menu | null {
    return applicationMenu
  }
}

/** Sets Electron's default menu unless the app has set one (lib/browser/default-menu.ts). */
export function setDefaultApplicationMenu(): void {
  if (isApplicationMenuSet) return
  const roles = ['filemenu', 'editmenu', 'viewmenu', 'windowmenu', 'help']
  const all = process.platform === 'darwin' ? ['appmenu', ...roles] : roles
  Menu.setApplicationMenu(Menu.buildFromTemplate(all.map((role) => ({ role }))))
}
