/** What a preview of an import shows: the first lines, what is not used, and the refused lines. */
import { html } from 'hono/html'
import { isolateName } from '../../contract/text.ts'
import type { LineFault, RefusedLine } from '../domain/imports.ts'
import { MAX_NAME_LENGTH } from '../domain/names.ts'
import { MAX_COST } from '../domain/rewards.ts'
import type { Html } from '../html/document.ts'
import { countOf, customerName, numberText, phoneText } from '../html/locale.ts'
import type { ImportPreview, StoredImport } from '../store/stored-import.ts'
import type { ManageLocale } from './manage-locale.ts'

/** Refused lines that a page shows. */
const SHOWN = 100

/** Why a line is refused, in words. */
export const LINE_FAULT_TEXTS: Readonly<
  Record<LineFault, (locale: ManageLocale, line: RefusedLine) => string>
> = {
  'line-unreadable': ({ m }) => m.importLineUnreadable(),
  'line-cut': ({ m }) => m.importLineCut(),
  'line-repeated': ({ m }, { sameAs }) => m.importLineRepeated({ line: String(sameAs) }),
  'phone-malformed': ({ m }) => m.importPhoneMalformed(),
  'email-malformed': ({ m }) => m.importEmailMalformed(),
  'balance-malformed': ({ m }) => m.importBalanceMalformed(),
  'number-ambiguous': ({ m }) => m.importNumberAmbiguous(),
  'lifetime-malformed': ({ m }) => m.importLifetimeMalformed(),
  'cost-malformed': (locale) => locale.m.importCostMalformed({ max: numberText(MAX_COST, locale) }),
  'name-missing': ({ m }) => m.importNameMissing(),
  'name-too-long': ({ m }) => m.importNameTooLong({ max: String(MAX_NAME_LENGTH) }),
  'name-malformed': ({ m }) => m.importNameMalformed(),
  'customer-erased': ({ m }) => m.importCustomerErased()
}

/** The first lines as they will be, and what of the file is not used. */
export const previewText = (
  { kind, choice, points, filePoints }: StoredImport,
  { unused, unusedPoints, renumbered, first }: ImportPreview,
  locale: ManageLocale
): Html => {
  const { m } = locale
  const list = new Intl.ListFormat(locale.tag, { type: 'unit', style: 'short' })
  const names = (columns: readonly string[]): string => list.format(columns.map(isolateName))
  const others = unused.filter((name) => !unusedPoints.includes(name))
  const warning = (text: string): Html => html`<p class="warning">${text}</p>`
  return html`${kind === 'customers' && choice.phone === undefined ? warning(m.importChoosePhone()) : ''}
  ${kind === 'customers' && choice.balance === undefined ? warning(m.importNoPoints()) : ''}
  ${unusedPoints.length === 0 ? '' : warning(m.importUnusedPoints({ columns: names(unusedPoints) }))}
  ${
    filePoints === points
      ? ''
      : warning(m.importPointsBefore({ points: numberText(filePoints - points, locale) }))
  }
  ${renumbered === 0 ? '' : warning(m.importRenumbered({ lines: numberText(renumbered, locale) }))}
  ${others.length === 0 ? '' : html`<p>${m.importUnused({ columns: names(others) })}</p>`}
  ${
    first.length === 0
      ? ''
      : html`<h2>${m.importFirstLines()}</h2>
          <ul class="rows">
            ${first.map(
              (line) =>
                html`<li>
                  <span
                    ><bdi>${kind === 'customers' ? customerName(line) : line.name}</bdi
                    ><span class="below"
                      ><bdi>${line.phone === '' ? '' : phoneText(line.phone)}</bdi>${
                        line.email === null ? '' : html` · <bdi>${line.email}</bdi>`
                      }</span
                    ></span
                  >
                  <span class="number">${m.points(countOf(line.points, locale))}</span>
                </li>`
            )}
          </ul>`
  }`
}

/** The first of the lines that are refused, and a file with all. */
export const refusedRows = (lines: readonly RefusedLine[], at: string, locale: ManageLocale): Html => {
  const { m } = locale
  return html`<h2>${m.importRefused()}</h2>
    <p>
      <a class="button quiet" href="${at}/refused.csv" download>${m.importRefusedDownload()}</a>
    </p>
    <ul class="rows">
      ${lines.slice(0, SHOWN).map(
        (line) =>
          html`<li>
            <span
              >${m.importLine({ line: numberText(line.line, locale) })}<span class="below"
                >${LINE_FAULT_TEXTS[line.fault](locale, line)}</span
              ></span
            >
          </li>`
      )}
    </ul>
    ${lines.length <= SHOWN ? '' : html`<p class="muted">${m.importRefusedMore({ count: String(SHOWN) })}</p>`}`
}
