import { refuse, strict, StrictEmitter } from '../strict.ts'
import { roleDefaults, runRole } from './menu-roles.ts'
import { recorder } from './recorder.ts'
import { windows } from './windows.ts'

type Click = (item: MenuItem, window: unknown, event: object) => void

/** One line of a menu's description, as apps write it. */
export interface MenuItemOptions {
  readonly click?: Click
  readonly role?: string
  readonly type?: string
  readonly label?: string
  readonly sublabel?: string
  readonly toolTip?: string
  readonly accelerator?: string
  readonly icon?: unknown
  readonly enabled?: boolean
  readonly acceleratorWorksWhenHidden?: boolean
  readonly visible?: boolean
  readonly checked?: boolean
  readonly registerAccelerator?: boolean
  readonly submenu?: Menu | readonly MenuItemOptions[]
  readonly id?: string
  readonly before?: readonly string[]
  readonly after?: readonly string[]
}

const OPTIONS = new Set([
  'click',
  'role',
  'type',
  'label',
  'sublabel',
  'toolTip',
  'accelerator',
  'icon',
  'enabled',
  'acceleratorWorksWhenHidden',
  'visible',
  'checked',
  'registerAccelerator',
  'submenu',
  'id'
])
const TYPES = ['normal', 'separator', 'submenu', 'checkbox', 'radio']

let lastCommandId = 0

/** Electron's `MenuItem`. */
export class MenuItem {
  readonly id: string | undefined
  readonly commandId = ++lastCommandId
  readonly role: string | undefined
  readonly type: string
  readonly accelerator: string | undefined
  readonly submenu: Menu | null
  readonly registerAccelerator: boolean
  label: string
  sublabel: string
  toolTip: string
  icon: unknown
  enabled: boolean
  visible: boolean
  checked: boolean
  readonly click: (event?: object, window?: unknown, contents?: unknown) => void

  constructor(options: MenuItemOptions) {
    const unknown = Object.keys(options).find((key) => !OPTIONS.has(key))
    if (unknown !== undefined) refuse(`the option '${unknown}' of a MenuItem`)
    this.role = options.role?.toLowerCase()
    const defaults = roleDefaults(this.role)
    const submenu = options.submenu ?? defaults.submenu
    this.submenu =
      submenu === undefined ? null : submenu instanceof Menu ? submenu : Menu.buildFromTemplate(submenu)
    this.type = options.type ?? (this.submenu ? 'submenu' : 'normal')
    if (this.type === 'submenu' && !this.submenu) throw new Error('Invalid submenu')
    if (!TYPES.includes(this.type)) throw new Error(`Unknown menu item type: ${this.type}`)
    this.id = options.id
    this.label = options.label ?? defaults.label ?? ''
    this.accelerator = options.accelerator ?? defaults.accelerator
    this.registerAccelerator = options.registerAccelerator ?? true
    this.sublabel = options.sublabel ?? ''
    this.toolTip = options.toolTip ?? ''
    this.icon = options.icon ?? null
    this.enabled = options.enabled ?? true
    this.visible = options.visible ?? true
    this.checked = options.checked ?? false
    const act = options.click
    this.click = (event = {}, window = windows.focused() ?? undefined) => {
      if (this.type === 'checkbox' || this.type === 'radio') this.checked = !this.checked
      if (!runRole(this.role)) act?.(this, window, event)
    }
  }
}

let applicationMenu: Menu | null = null
let applicationMenuWasSet = false

/** Electron's `Menu`. It is not drawn; tests find its items and click them. */
export class Menu extends StrictEmitter {
  readonly items: MenuItem[] = []

  constructor() {
    super('Menu', ['menu-will-show', 'menu-will-close'])
  }

  static buildFromTemplate(template: readonly (MenuItemOptions | MenuItem)[]): Menu {
    if (!Array.isArray(template)) {
      throw new TypeError('Invalid template for Menu: Menu template must be an array')
    }
    for (const item of template as unknown[]) {
      const fits =
        typeof item === 'object' && item !== null && ['label', 'role', 'type'].some((key) => key in item)
      if (!fits) {
        throw new TypeError('Invalid template for MenuItem: must have at least one of label, role or type')
      }
    }
    const menu = new Menu()
    for (const item of template as readonly (MenuItemOptions | MenuItem)[])
      menu.append(item instanceof MenuItem ? item : strict('MenuItem', new MenuItem(item)))
    return menu
  }

  static setApplicationMenu(menu: Menu | null): void {
    if (menu !== null && !(menu instanceof Menu)) throw new TypeError('Invalid menu')
    applicationMenuWasSet = true
    applicationMenu = menu
  }

  static getApplicationMenu(): Menu | null {
    return applicationMenu
  }

  append(item: MenuItem): void {
    this.insert(this.items.length, item)
  }

  insert(position: number, item: MenuItem): void {
    if (!(item instanceof MenuItem)) throw new TypeError('Invalid item')
    if (position < 0) throw new RangeError(`Position ${position} cannot be less than 0`)
    if (position > this.items.length) {
      throw new RangeError(`Position ${position} cannot be greater than the total MenuItem count`)
    }
    this.items.splice(position, 0, item)
  }

  getMenuItemById(id: string): MenuItem | null {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu?.getMenuItemById(id)
      if (found) return found
    }
    return null
  }

  popup(options: object = {}): void {
    recorder.record('Menu.popup', {
      labels: this.items.map((item) => item.label),
      options: Object.keys(options)
    })
    this.emit('menu-will-show')
  }

  closePopup(): void {
    this.emit('menu-will-close')
  }
}

/** Sets Electron's default menu unless the app has set one (lib/browser/default-menu.ts). */
export function setDefaultApplicationMenu(): void {
  if (applicationMenuWasSet) return
  const roles = ['fileMenu', 'editMenu', 'viewMenu', 'windowMenu']
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(process.platform === 'darwin' ? [{ role: 'appMenu' }] : []),
      ...roles.map((role) => ({ role })),
      { role: 'help', submenu: [] }
    ])
  )
}

/** Every accelerator of the application menu, and the item that it clicks. */
export function accelerators(menu: Menu | null = applicationMenu): { accelerator: string; item: MenuItem }[] {
  return (menu?.items ?? []).flatMap((item) => [
    ...(item.accelerator !== undefined && item.registerAccelerator
      ? [{ accelerator: item.accelerator, item }]
      : []),
    ...accelerators(item.submenu)
  ])
}
