/** Finds parts that stand in the wrong place: far from what they belong to, in a narrow column, or below what covers them. */
import type { Page } from 'playwright-core'

/** Returns the buttons whose icon is far from the first word of the label. */
export const distantIcons = (page: Page): Promise<string[]> =>
  page.locator('.button:has(svg)').evaluateAll((buttons) => {
    const FAR = 12
    return buttons.flatMap((button) => {
      const icon = button.querySelector('svg')?.getBoundingClientRect()
      const walker = document.createTreeWalker(button, NodeFilter.SHOW_TEXT)
      let text = walker.nextNode()
      while (text?.textContent?.trim() === '') text = walker.nextNode()
      if (!text || !icon || icon.width === 0) return []
      const range = document.createRange()
      range.selectNodeContents(text)
      // Of the line that the icon is in.
      const gaps = [...range.getClientRects()]
        .filter(({ top, bottom }) => top < icon.bottom && bottom > icon.top)
        .map(({ left, right }) => Math.max(left - icon.right, icon.left - right))
      return Math.min(...gaps) > FAR ? [`the icon of “${button.textContent.trim()}”`] : []
    })
  })

/** Returns the alerts whose buttons leave less than half of the width to the text. */
export const narrowAlerts = (page: Page): Promise<string[]> =>
  page
    .locator('.alert:has(.actions) > p')
    .evaluateAll((texts) =>
      texts.flatMap((text) =>
        text.clientWidth < (text.parentElement?.clientWidth ?? 0) / 2
          ? [`${text.textContent.trim().slice(0, 40)}: ${String(text.clientWidth)}`]
          : []
      )
    )

/** Returns the lines of the slip preview that are below the slot of the printer. */
export const coveredSlipLines = (page: Page): Promise<string[]> =>
  page.locator('.draft dd').evaluateAll((lines) =>
    lines.flatMap((line) => {
      const end = line.closest('.stage')?.getBoundingClientRect().bottom ?? 0
      return line.getBoundingClientRect().bottom > end + 1 ? [line.textContent.trim()] : []
    })
  )

/** Returns the last message about the customer's data if the button of the customer covers it. */
export const coveredMessages = (page: Page): Promise<string[]> =>
  page.locator('aside details .content > p').evaluateAll((messages) => {
    const cover = document.querySelector('aside > .action')?.getBoundingClientRect().top ?? 0
    return messages
      .slice(-1)
      .flatMap((message) =>
        message.getBoundingClientRect().bottom > cover + 1 ? [message.textContent.trim()] : []
      )
  })
