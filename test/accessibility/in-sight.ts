/** Finds what is cut, covered or outside of the window. */
import type { Page } from 'playwright-core'

/**
 * Returns the texts that are not whole: outside of a box that hides what overflows, without an ellipsis; or outside of the
 * button that they are the label of. What a scroll brings into view is whole.
 */
export const cutTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const SLACK = 1.5
    const scope = document.querySelector('[role="dialog"], [role="alertdialog"]') ?? document.body
    const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT)
    const found = new Set<string>()
    const isForScreenReaders = (element: Element): boolean => {
      for (let one: Element | null = element; one; one = one.parentElement)
        if (getComputedStyle(one).clipPath !== 'none') return true
      return false
    }
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement
      const text = node.textContent?.trim() ?? ''
      if (!parent || text === '' || parent.closest('.spoken, [inert], svg, option')) continue
      // Of the slip preview the lower end is still in the printer.
      if (parent.closest('.draft')) continue
      if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
      if (isForScreenReaders(parent)) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const box = range.getBoundingClientRect()
      if (box.width === 0 || box.height === 0) continue
      let x = true
      let y = true
      for (let element: Element | null = parent; element; element = element.parentElement) {
        const style = getComputedStyle(element)
        if (style.textOverflow === 'ellipsis') x = false
        if (style.webkitLineClamp !== 'none') x = y = false
        const edge = element.getBoundingClientRect()
        if (style.overflowX === 'auto' || style.overflowX === 'scroll') x = false
        if (style.overflowY === 'auto' || style.overflowY === 'scroll') y = false
        const clips = style.overflowX === 'hidden' || style.overflowX === 'clip'
        const clipsY = style.overflowY === 'hidden' || style.overflowY === 'clip'
        const isLabel = element.matches('button, a, .panel, .alert')
        const outX = box.left < edge.left - SLACK || box.right > edge.right + SLACK
        const outY = box.top < edge.top - SLACK || box.bottom > edge.bottom + SLACK
        if ((x && outX && (clips || isLabel)) || (y && outY && (clipsY || isLabel))) {
          found.add(`“${text.slice(0, 40)}” is cut by ${element.tagName.toLowerCase()}.${element.className}`)
        }
        if (style.position === 'fixed') break
      }
      // A part of a dialog is out of the window where no scroll within the dialog leads.
      const frame = parent.closest('[role="dialog"], [role="alertdialog"]')?.getBoundingClientRect()
      if (frame && (frame.top < -SLACK || frame.bottom > innerHeight + SLACK))
        found.add('the dialog is higher than the window')
      if (
        (x && (box.left < -SLACK || box.right > innerWidth + SLACK)) ||
        (y && (box.top < -SLACK || box.bottom > innerHeight + SLACK))
      )
        found.add(`“${text.slice(0, 40)}” is outside of the window`)
    }
    for (const field of scope.querySelectorAll<HTMLInputElement>('input[inputmode]:not([type="search"])')) {
      if (field.scrollWidth > field.clientWidth + SLACK) found.add(`“${field.value}” does not fit its field`)
    }
    const measure = document.createElement('canvas').getContext('2d')
    for (const select of scope.querySelectorAll('select')) {
      if (!measure || !select.checkVisibility({ visibilityProperty: true })) continue
      const { font, paddingLeft, paddingRight } = getComputedStyle(select)
      measure.font = font
      const text = select.selectedOptions[0]?.text ?? ''
      const ARROW = 18
      const room = select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - ARROW
      if (measure.measureText(text).width > room + SLACK) found.add(`the choice “${text}” does not fit`)
    }
    return [...found]
  })

/** Returns the buttons of a question that only a scroll within its dialog brings into sight. */
export const hiddenAnswers = (page: Page): Promise<string[]> =>
  page
    .locator('[role="dialog"].alert .buttons button, [role="alertdialog"] .buttons button')
    .evaluateAll((buttons) =>
      buttons.flatMap((button) => {
        const { top, bottom } = button.getBoundingClientRect()
        return top < 0 || bottom > innerHeight + 1
          ? [`the answer “${button.textContent.trim()}” is out of sight`]
          : []
      })
    )

/**
 * Returns the names that are truncated at their beginning: what does not fit is cut at the end of the box's direction. Those
 * alone in their box are returned before they are too long for it.
 */
export const cutBeginnings = (page: Page): Promise<string[]> =>
  page.locator('bdi').evaluateAll((names) =>
    names.flatMap((element) => {
      const cut = [element, element.parentElement].find(
        (one) => one && getComputedStyle(one).overflow === 'hidden'
      )
      const isLatin = /^\p{Script=Latin}/u.test(element.textContent)
      const isCut =
        cut &&
        getComputedStyle(cut).direction === 'rtl' &&
        (cut.textContent.trim() === element.textContent.trim() ||
          element.getBoundingClientRect().left < cut.getBoundingClientRect().left - 1)
      return isLatin && isCut ? [`“${element.textContent}” is cut at its beginning`] : []
    })
  )

/**
 * Returns the controls of the till that are neither in sight nor in a list that scrolls; of the innermost dialog, those that
 * no scroll brings into sight.
 */
export const hiddenControls = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const dialog = [...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')].at(-1)
    const controls = [
      ...(dialog ?? document).querySelectorAll<HTMLElement>('button, a[href], input, select')
    ].filter(
      (control) =>
        control.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
        !control.closest('[inert], .spoken, ul, ol')
    )
    return controls.flatMap((control) => {
      if (dialog) control.scrollIntoView({ block: 'nearest', behavior: 'instant' })
      const { top, bottom, left, right } = control.getBoundingClientRect()
      const isWhole = top >= -1 && bottom <= innerHeight + 1 && left >= -1 && right <= innerWidth + 1
      // Its middle, and above and below that: a control may reach under the text beside it.
      const isCovered = [0.3, 0.5, 0.7].some((share) => {
        const [x, y] = [(left + right) / 2, top + (bottom - top) * share]
        const hit = document.elementFromPoint(x, y)
        // The key of a shortcut may stand on a control.
        return !(control.contains(hit) || hit?.closest('label')?.contains(control) === true)
      })
      if (isWhole && !isCovered) return []
      const name = control.getAttribute('aria-label') ?? (control.innerText || control.id)
      return [`${control.tagName} “${name.slice(0, 30)}” is ${isWhole ? 'covered' : 'out of sight'}`]
    })
  })

/** Returns the boxes that scroll sideways: nothing is wider than its screen. */
export const sidewaysScrolls = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('body, body *')].flatMap((box) => {
      const { overflowX } = getComputedStyle(box)
      const scrolls = overflowX === 'auto' || overflowX === 'scroll'
      const isWider = box.scrollWidth > box.clientWidth + 1
      if (!scrolls || !isWider || !box.checkVisibility({ visibilityProperty: true })) return []
      return [`${box.tagName.toLowerCase()}.${box.className} scrolls sideways`]
    })
  )

/** Returns the placeholders of empty fields that are wider than their field. */
export const cutPlaceholders = (page: Page): Promise<string[]> =>
  page.locator('input[placeholder]:placeholder-shown').evaluateAll((inputs) =>
    inputs.flatMap((input) => {
      if (!(input instanceof HTMLInputElement) || !input.checkVisibility()) return []
      const { font, paddingLeft, paddingRight } = getComputedStyle(input)
      const words = document.createElement('canvas').getContext('2d')
      if (!words) return ['no canvas']
      words.font = font
      const room = input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
      return words.measureText(input.placeholder).width > room
        ? [`the hint “${input.placeholder}” is cut`]
        : []
    })
  )

/** Returns the texts in a column so narrow that each line has a letter or two, beside what took the room. */
export const narrowTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const LEAST_LETTERS = 3
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement
      const text = node.textContent?.trim() ?? ''
      if (!parent?.checkVisibility() || parent.closest('.spoken, svg')) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
      if (lines > 2 && text.length / lines < LEAST_LETTERS)
        found.push(`“${text.slice(0, 40)}” is a narrow column`)
    }
    return found
  })

/**
 * Returns the main actions of the innermost dialog, or of the screen without one, that are out of sight or covered, and the
 * focus where something covers it.
 */
export const hiddenActions = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const scope = [...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')].at(-1) ?? document
    const isHit = (element: Element): boolean => {
      const { left, right, top, bottom } = element.getBoundingClientRect()
      return element.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2))
    }
    const actions = [...scope.querySelectorAll<HTMLElement>('.button.primary:not(:disabled)')].filter(
      (action) => action.checkVisibility({ visibilityProperty: true }) && !isHit(action)
    )
    const { activeElement } = document
    const cover = document.querySelector('[data-tour-card]')
    const box = activeElement?.getBoundingClientRect()
    const isUnderCard =
      cover &&
      box &&
      cover.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2))
    return [
      ...actions.map((action) => `the main action “${action.innerText}” is out of sight`),
      ...(isUnderCard && !cover.contains(activeElement) ? ['the focus is below the card of the tour'] : [])
    ]
  })
