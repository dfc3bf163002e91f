/** What a customer has by the shop's rules, in words. */
import { html } from 'hono/html'
import type { Standing } from '../../contract/earning-rules.ts'
import { isolateName } from '../../contract/text.ts'
import type { Html } from '../html/document.ts'
import { countOf, decimalText, utcDayText } from '../html/locale.ts'
import type { CustomerLocale } from './customer-locale.ts'

/** Level and factor, what is missing for the next one, and the next points that end; nothing of what there is none. */
export const standingLines = ({ level, next, ending }: Standing, locale: CustomerLocale): Html => {
  const { m } = locale
  return html`${
    level === null
      ? ''
      : html`<p>
          ${m.levelIs({ level: isolateName(level.name), factor: decimalText(level.factor, locale) })}
        </p>`
  }
  ${
    next === null
      ? ''
      : html`<p class="muted">
          ${m.nextLevel({ missing: m.missing(countOf(next.missing, locale)), level: isolateName(next.name) })}
        </p>`
  }
  ${
    ending === null
      ? ''
      : html`<p>
          ${m.endingText({ points: m.points(countOf(ending.points, locale)), date: utcDayText(ending.lastDay, locale) })}
        </p>`
  }`
}
