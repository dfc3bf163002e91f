/** Imports of *Data*: what a file would do, its progress, and what was refused. */
import { html, raw } from 'hono/html'
import { setImmediate } from 'node:timers/promises'
import { BYTE_ORDER_MARK, csvRecord, csvSeparator, isolateName } from '../../contract/text.ts'
import { MAX_REQUEST_SECONDS } from '../api/requests.ts'
import { decodeCsv } from '../domain/csv.ts'
import { IMPORT_FIELDS, type ColumnChoice, type ImportField } from '../domain/import-columns.ts'
import type { LineFault, RefusedLine } from '../domain/imports.ts'
import { MAX_NAME_LENGTH } from '../domain/names.ts'
import { Refusal } from '../domain/refusal.ts'
import { MAX_COST } from '../domain/rewards.ts'
import type { Html } from '../html/document.ts'
import { countOf, customerName, dateTimeText, numberText, phoneText } from '../html/locale.ts'
import type { SentForm } from '../html/sent-form.ts'
import type { ImportPreview, StoredImport } from '../store/import-jobs.ts'
import { ImportRunner } from '../store/import-runner.ts'
import type { ManageRouter, FormAnswer, ManageVisit } from './manage-router.ts'
import { respondCsv } from './downloads.ts'
import { buttonForm, selectField, fileField, TYPED_FORM } from '../html/fields.ts'
import type { ManagePage } from './manage-layout.ts'
import type { ManageLocale } from './manage-locale.ts'

const MEGABYTE = 1_000_000
const MAX_FILE_MEGABYTES = 10

/** Refused lines of a file that are written at a time: others are answered in between. */
const SLICE = 500

/** Refused lines that a page shows. */
const SHOWN = 100

/** The field that says whether erased customers come, too. */
const WITH_ERASED = 'withErased'

/** Seconds between two looks at an import that is under way. */
const RELOAD_SECONDS = 2

const FAULTS: Readonly<Record<LineFault, (locale: ManageLocale, line: RefusedLine) => string>> = {
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

const FIELDS: Readonly<Record<ImportField, (m: ManageLocale['m']) => string>> = {
  name: (m) => m.importFieldName(),
  firstName: (m) => m.importFieldFirstName(),
  lastName: (m) => m.importFieldLastName(),
  phone: (m) => m.phoneNumber(),
  otherPhone: (m) => m.importFieldOtherPhone(),
  email: (m) => m.email(),
  balance: (m) => m.pointsToGive(),
  lifetimePoints: (m) => m.lifetimePoints(),
  points: (m) => m.importFieldCost(),
  enabled: (m) => m.importFieldEnabled()
}

const STATES: Readonly<Record<StoredImport['state'], (m: ManageLocale['m']) => string>> = {
  previewed: (m) => m.importStatePreviewed(),
  running: (m) => m.importStateRunning(),
  stopped: (m) => m.importStateStopped(),
  done: (m) => m.importStateDone()
}

/** The routes and the section of the imports. */
export class ImportSection {
  readonly #router: ManageRouter
  readonly #runner: ImportRunner

  constructor(router: ManageRouter) {
    const { dependencies } = router
    this.#router = router
    this.#runner =
      dependencies.imports ?? new ImportRunner({ ...dependencies, onError: dependencies.onInternalError })
  }

  addRoutes(): void {
    const router = this.#router
    router.form('/data/imports', 'owner', {
      submit: (visit, form) => this.#read(visit, form),
      page: '/data',
      // The file, and what the form has beside it.
      maxBytes: MAX_FILE_MEGABYTES * MEGABYTE + 64 * 1024
    })
    router.page('/data/imports/:import', 'owner', (visit) => this.#show(visit))
    router.page('/data/imports/:import/refused.csv', 'owner', (visit) => this.#refused(visit))
    router.form('/data/imports/:import/columns', 'owner', {
      submit: (visit, form) => this.#choose(visit, form),
      page: '/data/imports/:import'
    })
    router.form('/data/imports/:import/start', 'owner', {
      submit: (visit) => this.#start(visit),
      page: '/data'
    })
    router.form('/data/imports/:import/stop', 'owner', {
      submit: (visit) => this.#stop(visit),
      page: '/data'
    })
    router.form('/data/imports/:import/discard', 'owner', {
      submit: (visit) => this.#discard(visit),
      page: '/data'
    })
  }

  async section({ business, locale, path, typed }: ManageVisit): Promise<Html> {
    const { m } = locale
    const imports = await this.#runner.store.list(business.key)
    return html`<h2 id="import">${m.importTitle()}</h2>
      <p>${m.importText()}</p>
      <form method="post" action="${path('/data/imports')}" enctype="multipart/form-data" class="narrow">
        ${selectField(
          {
            name: 'kind',
            label: m.importKind(),
            value: 'customers',
            hint: m.importColumns()
          },
          [
            ['customers', m.customers()],
            ['rewards', m.rewards()]
          ],
          typed
        )}
        ${fileField({ name: 'file', label: m.importFile(), hint: m.importFileHint({ megabytes: String(MAX_FILE_MEGABYTES), seconds: String(MAX_REQUEST_SECONDS) }), accept: '.csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain' }, typed)}
        <p class="buttons"><button>${m.importPreview()}</button></p>
      </form>
      ${
        imports.length === 0
          ? ''
          : html`<ul class="rows">
              ${imports.map(
                (found) =>
                  html`<li>
                    <a class="whole" href="${path(`/data/imports/${found.id}`)}"
                      >${titleOf(found, locale)}<span class="below"
                        >${dateTimeText(found.createdAt, locale)} · ${STATES[found.state](m)}</span
                      ></a
                    >
                  </li>`
              )}
            </ul>`
      }`
  }

  #found({ business, c }: ManageVisit): Promise<StoredImport | null> {
    return this.#runner.store.find(business.key, c.req.param('import') ?? '')
  }

  async #read({ business, by }: ManageVisit, form: SentForm): Promise<FormAnswer> {
    const file = form.file('file')
    if (file === null) throw new Refusal('file-missing', 'Choose a file.')
    const text = decodeCsv(new Uint8Array(await file.arrayBuffer()))
    const kind = form.text('kind') === 'rewards' ? 'rewards' : 'customers'
    const id = await this.#runner.store.add(business.key, { kind, text, by })
    return { to: `/data/imports/${id}`, done: 'file-read' }
  }

  async #show(visit: ManageVisit): Promise<ManagePage | null> {
    const { locale, path } = visit
    const { m } = locale
    const found = await this.#found(visit)
    if (found === null) return null
    this.#runner.takeOver(found)
    const { state, usable, refused, added, known, credited, points } = found
    const preview = state === 'previewed' ? await this.#runner.store.preview(found) : null
    const lines =
      refused === 0 || state === 'running' ? [] : (await this.#runner.store.refusedLines(found)).lines
    const at = path(`/data/imports/${found.id}`)
    const number = (value: number): string => numberText(value, locale)
    const done = state === 'previewed' ? 0 : added + known
    const figure = (name: string, value: number): Html =>
      html`<div>
        <dt>${name}</dt>
        <dd>${number(value)}</dd>
      </div>`
    const discard = buttonForm(`${at}/discard`, m.importDiscard())
    const acts: Readonly<Record<StoredImport['state'], Html | ''>> = {
      previewed: html`${usable === 0 ? '' : buttonForm(`${at}/start`, m.importStart(), { style: 'main' })}
      ${discard}`,
      running: buttonForm(`${at}/stop`, m.importStop()),
      stopped: html`${buttonForm(`${at}/start`, m.importGoOn(), { style: 'main' })} ${discard}`,
      done: ''
    }
    const sentences: Partial<Readonly<Record<StoredImport['state'], string>>> = {
      stopped: m.importStopped(),
      done: m.importDone()
    }
    const sentence = sentences[state]
    return {
      section: 'data',
      title: titleOf(found, locale),
      back: { path: path('/data'), text: m.data() },
      ...(preview === null ? {} : { hasForm: true }),
      ...(state === 'running' ? { reloadAfter: RELOAD_SECONDS } : {}),
      ...(sentence === undefined ? {} : { done: sentence }),
      body: html`${
          state === 'running' || state === 'stopped'
            ? html`<progress aria-label="${m.importTitle()}" max="${usable}" value="${done}"></progress>
                <p>${m.importProgress({ done: number(done), total: number(usable) })}</p>`
            : ''
        }
        <dl class="figures">
          ${figure(state === 'previewed' ? m.importToAdd() : m.importAdded(), added)}
          ${figure(m.importKnown(), known)}
          ${found.kind === 'customers' ? figure(m.pointsToGive(), points) : ''}
          ${figure(m.importRefused(), refused)}
        </dl>
        ${credited === 0 ? '' : html`<p>${m.importCredited({ number: number(credited) })}</p>`}
        ${preview === null ? '' : previewText(found, preview, locale)}
        <div class="buttons">${acts[state]}</div>
        ${preview === null ? '' : columnsForm(found, preview, lines, visit)}
        ${refused === 0 || state === 'running' ? '' : refusedRows(lines, at, locale)}`
    }
  }

  async #refused(visit: ManageVisit): Promise<Response | null> {
    const { locale } = visit
    const { m } = locale
    const found = await this.#found(visit)
    if (found === null) return null
    const { columns, lines } = await this.#runner.store.refusedLines(found)
    const separator = csvSeparator(locale.tag)
    const recordOf = (line: RefusedLine): string => {
      const cells = columns.map((_, index) => line.cells[index] ?? '')
      return csvRecord([...cells, line.line, FAULTS[line.fault](locale, line)], separator)
    }
    // In the form of the file, so that it can be corrected and chosen again.
    const records = async function* (): AsyncGenerator<string> {
      yield BYTE_ORDER_MARK + csvRecord([...columns, m.importLineColumn(), m.importReasonColumn()], separator)
      for (let from = 0; from < lines.length; from += SLICE) {
        yield lines
          .slice(from, from + SLICE)
          .map(recordOf)
          .join('')
        await setImmediate()
      }
    }
    return respondCsv('refused.csv', records())
  }

  async #choose({ business, c }: ManageVisit, form: SentForm): Promise<FormAnswer> {
    const id = c.req.param('import') ?? ''
    const fields = [...IMPORT_FIELDS.customers, ...IMPORT_FIELDS.rewards].filter((field) =>
      /^\d{1,4}$/.test(form.text(field))
    )
    const choice: ColumnChoice = Object.fromEntries(fields.map((field) => [field, Number(form.text(field))]))
    await this.#runner.store.choose(business.key, id, { choice, withErased: form.text(WITH_ERASED) === '1' })
    return { to: `/data/imports/${id}`, done: 'columns-chosen' }
  }

  async #start({ business, c }: ManageVisit): Promise<FormAnswer> {
    const id = c.req.param('import') ?? ''
    await this.#runner.store.start(business.key, id)
    this.#runner.run({ business: business.key, id })
    return { to: `/data/imports/${id}`, done: 'import-started' }
  }

  async #stop({ business, c }: ManageVisit): Promise<FormAnswer> {
    const id = c.req.param('import') ?? ''
    await this.#runner.store.stop(business.key, id)
    return { to: `/data/imports/${id}`, done: 'import-stopped' }
  }

  async #discard({ business, c }: ManageVisit): Promise<FormAnswer> {
    await this.#runner.store.remove(business.key, c.req.param('import') ?? '')
    return { to: '/data', done: 'import-discarded' }
  }
}

/** The first lines as they will be, and what of the file is not used. */
const previewText = (
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

const titleOf = ({ kind }: StoredImport, { m }: ManageLocale): string =>
  kind === 'customers' ? m.importOfCustomers() : m.importOfRewards()

/** The first of the lines that are refused, and a file with all. */
const refusedRows = (lines: readonly RefusedLine[], at: string, locale: ManageLocale): Html => {
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
                >${FAULTS[line.fault](locale, line)}</span
              ></span
            >
          </li>`
      )}
    </ul>
    ${lines.length <= SHOWN ? '' : html`<p class="muted">${m.importRefusedMore({ count: String(SHOWN) })}</p>`}`
}

/** Which column is what, and whether erased customers come, too. Nothing is used that the page does not show. */
const columnsForm = (
  found: StoredImport,
  { columns }: ImportPreview,
  refused: readonly RefusedLine[],
  { locale, left, typed, path }: ManageVisit
): Html => {
  const { m } = locale
  const isWithErased = left === null ? found.withErased : left.texts[WITH_ERASED] === '1'
  const options = [
    ['', m.importNoColumn()] as const,
    ...columns.map((name, index) => [String(index), isolateName(name)] as const)
  ]
  const hasErased = found.withErased || refused.some(({ fault }) => fault === 'customer-erased')
  return html`<h2>${m.importColumnsTitle()}</h2>
    <form
      method="post"
      action="${path(`/data/imports/${found.id}/columns`)}"
      class="narrow"
      id="${TYPED_FORM}"
    >
      ${IMPORT_FIELDS[found.kind].map((field) =>
        selectField(
          { name: field, label: FIELDS[field](m), value: String(found.choice[field] ?? '') },
          options,
          typed
        )
      )}
      ${
        hasErased
          ? html`<p>
              <label class="check"
                ><input
                  type="checkbox"
                  name="${WITH_ERASED}"
                  value="1"
                  ${isWithErased ? raw('checked') : ''}
                />
                ${m.importWithErased()}</label
              >
            </p>`
          : ''
      }
      <p class="buttons"><button class="quiet">${m.importPreview()}</button></p>
    </form>`
}
