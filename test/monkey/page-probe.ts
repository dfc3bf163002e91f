/** What the monkey sees of a page. `createPageProbe` is evaluated in the page, so it refers to nothing outside. */

/** Something that can be pressed or typed into. */
export interface Control {
  /** role and name, the same in a repeated run: without numbers and codes */
  readonly name: string
  readonly x: number
  readonly y: number
  /** `text`: a field for text; `select`: a list of options; `press`: anything else */
  readonly kind: 'press' | 'text' | 'select'
  /** the type of an input, such as `password` */
  readonly type: string
  /** whether a token is asked for there, beside an address */
  readonly besideAddress: boolean
  readonly isPrimary: boolean
}

/** The page at one moment. */
export interface Screen {
  readonly controls: readonly Control[]
  /** names of open dialogs, the innermost last; the lock is `lock` */
  readonly dialogs: readonly string[]
  readonly isLocked: boolean
  /** whether the screens of a connected till are shown, not onboarding or nothing */
  readonly hasShell: boolean
  /** a text that is the same as long as the page is the same */
  readonly fingerprint: string
  /** whether something of the page is about to change: it loads, a short timer or an animation runs */
  readonly isBusy: boolean
  /** what is wrong with the focus; null: nothing */
  readonly focusFault: string | null
  /** main actions that are covered, and by what */
  readonly covered: readonly string[]
}

declare global {
  interface Window {
    monkeyProbe?: { look(): Screen; readonly violations: string[] }
  }
}

/** Installs `window.monkeyProbe` before the scripts of the page. */
export function installPageProbe(): void {
  /** longer timers change the page by themselves, not because of an action */
  const LONGEST_DELAY_MS = 1_000
  const timers = new Set<unknown>()
  window.setTimeout = new Proxy(window.setTimeout.bind(window), {
    apply(target, self, [run, ms = 0, ...values]: [(...given: unknown[]) => void, number?, ...unknown[]]) {
      const end = (...given: unknown[]): void => {
        timers.delete(id)
        run(...given)
      }
      const id: unknown = Reflect.apply(target, self, [end, ms, ...values])
      if (ms <= LONGEST_DELAY_MS) timers.add(id)
      return id
    }
  })
  window.clearTimeout = new Proxy(window.clearTimeout.bind(window), {
    apply(target, self, [id]: [unknown]) {
      timers.delete(id)
      Reflect.apply(target, self, [id])
    }
  })
  const violations: string[] = []
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    violations.push(`${effectiveDirective}: ${blockedURI}`)
  )

  const CONTROLS =
    'a[href], button, input, select, textarea, summary, [role="tab"], [role="radio"], [role="option"], [tabindex="0"]'
  const TEXT_TYPES = new Set(['text', 'search', 'url', 'tel', 'password', 'email', 'number', 'date'])

  const isShown = (element: Element): boolean =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    element.getClientRects().length > 0
  /** The part of an element that its scrolling ancestors and the window let through. */
  const visiblePart = (element: Element) => {
    let { left, top, right, bottom } = element.getBoundingClientRect()
    for (let parent = element.parentElement; parent; parent = parent.parentElement) {
      if (getComputedStyle(parent).overflow === 'visible') continue
      const box = parent.getBoundingClientRect()
      left = Math.max(left, box.left)
      top = Math.max(top, box.top)
      right = Math.min(right, box.right)
      bottom = Math.min(bottom, box.bottom)
    }
    left = Math.max(left, 0)
    top = Math.max(top, 0)
    right = Math.min(right, innerWidth)
    bottom = Math.min(bottom, innerHeight)
    return right - left < 2 || bottom - top < 2 ? null : { left, top, right, bottom }
  }
  const scrollsAway = (element: Element): boolean => visiblePart(element) === null
  const hits = (element: Element, x: number, y: number): boolean => {
    const top = document.elementFromPoint(x, y)
    // A press on the label of a control reaches it, too.
    return top !== null && (element.contains(top) || top.closest('label')?.control === element)
  }
  const nameOf = (element: Element): string => {
    const label =
      element.getAttribute('aria-label') ??
      (element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : element.textContent) ??
      ''
    const words = label
      .replace(/\b[A-Z0-9]{4}([- ]?[A-Z0-9]{4}){2}\b|[\p{N}.,:]+/gu, '#')
      .replace(/\s+/g, ' ')
    return `${element.getAttribute('role') ?? element.localName} ${words.trim().slice(0, 60)}`
  }
  const digest = (text: string): string => {
    let value = text.length
    for (let at = 0; at < text.length; at++) value = (Math.imul(value, 31) + text.charCodeAt(at)) | 0
    return String(value)
  }
  const describe = (element: Element): string =>
    `${nameOf(element)} (${element.localName}.${[...element.classList].join('.')})`

  const dialogsOf = (): Element[] =>
    [...document.querySelectorAll('[role="dialog"], [role="alertdialog"], dialog[open]')].filter(isShown)

  const controlsOf = (): Control[] => {
    const seen = new Map<string, number>()
    return [...document.querySelectorAll(CONTROLS)].flatMap((element): Control[] => {
      if (!isShown(element) || element.matches(':disabled, [aria-disabled="true"]')) return []
      const part = visiblePart(element)
      if (part === null) return []
      const [x, y] = [(part.left + part.right) / 2, (part.top + part.bottom) / 2]
      if (!hits(element, x, y)) return []
      const name = nameOf(element)
      const count = (seen.get(name) ?? 0) + 1
      seen.set(name, count)
      const type = element instanceof HTMLInputElement ? element.type : ''
      const form = element.closest('form')
      return [
        {
          name: count === 1 ? name : `${name} (${String(count)})`,
          x,
          y,
          kind:
            element instanceof HTMLSelectElement
              ? 'select'
              : TEXT_TYPES.has(type) || element instanceof HTMLTextAreaElement
                ? 'text'
                : 'press',
          type,
          besideAddress: form?.querySelector('input[type="url"]') instanceof Element && type === 'password',
          isPrimary: element.matches('.button.primary')
        }
      ]
    })
  }

  const focusFaultOf = (hasShell: boolean): string | null => {
    const focused = document.activeElement
    if (focused === null || focused === document.body) {
      // Outside of the shell no key has a meaning of its own, and Tab goes to the first control.
      const isMarking = getSelection()?.isCollapsed === false
      return hasShell && !isMarking ? 'the focus is nowhere' : null
    }
    // A radio button of a row of buttons is transparent: its label is what is seen, with the focus ring.
    const seen = focused instanceof HTMLInputElement && focused.type === 'radio' ? focused.labels?.[0] : null
    if (!isShown(seen ?? focused)) return `the focus is on what is not shown: ${describe(focused)}`
    // In a list that was scrolled, it may be out of sight.
    const part = visiblePart(focused)
    if (part === null) return null
    const points = [0.1, 0.5, 0.9].flatMap((across) =>
      [0.1, 0.5, 0.9].map(
        (down) =>
          [part.left + across * (part.right - part.left), part.top + down * (part.bottom - part.top)] as const
      )
    )
    if (points.some(([x, y]) => hits(focused, x, y))) return null
    const [x, y] = points[4] ?? [0, 0]
    const cover = document.elementFromPoint(x, y)
    return `${describe(focused)} has the focus and is covered by ${cover ? describe(cover) : 'nothing'}`
  }

  /** Of the innermost dialog, or of the screen while none is open. */
  const coveredOf = (dialogs: readonly Element[]): string[] =>
    [...(dialogs.at(-1) ?? document).querySelectorAll('.button.primary:not(:disabled)')].flatMap((action) => {
      if (!isShown(action)) return []
      const box = action.getBoundingClientRect()
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
      if (scrollsAway(action) || hits(action, x, y)) return []
      const part = visiblePart(action)
      // Half of it is scrolled away.
      if (part === null || x < part.left || x > part.right || y < part.top || y > part.bottom) return []
      const cover = document.elementFromPoint(x, y)
      return [`${describe(action)} is covered by ${cover ? describe(cover) : 'nothing'}`]
    })

  window.monkeyProbe = {
    violations,
    look() {
      const dialogs = dialogsOf()
      const hasShell = document.querySelector('nav a[aria-current]') !== null
      const fields = [...document.querySelectorAll('input, select')].map((field) =>
        field instanceof HTMLInputElement || field instanceof HTMLSelectElement ? field.value : ''
      )
      const running = document
        .getAnimations()
        .some(
          ({ playState, effect }) => playState === 'running' && effect?.getTiming().iterations !== Infinity
        )
      return {
        controls: controlsOf(),
        dialogs: dialogs.map((dialog) =>
          dialog instanceof HTMLDialogElement
            ? 'lock'
            : (dialog.querySelector('h2')?.textContent ?? dialog.id).replace(/[\p{N}.,]+/gu, '#').trim()
        ),
        isLocked: dialogs.some((dialog) => dialog instanceof HTMLDialogElement),
        hasShell,
        fingerprint: digest(`${document.body.innerHTML}${fields.join('|')}`),
        isBusy: timers.size > 0 || running || document.querySelector('[aria-busy="true"]') !== null,
        focusFault: focusFaultOf(hasShell),
        covered: coveredOf(dialogs)
      }
    }
  }
}
