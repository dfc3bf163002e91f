/** Imports of *Data*: what a file would do, its progress, and what was refused. */
import { html, raw } from 'hono/html'
import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import { BYTE_ORDER_MARK, csvRecord, csvSeparator, isolateName } from '../../contract/text.ts'
import { MAX_REQUEST_SECONDS } from '../api/requests.ts'
import type { BusinessKey } from '../domain/businesses.ts'
import { decodeCsv } from '../domain/csv.ts'
import { IMPORT_FIELDS, type ColumnChoice, type ImportField } from '../domain/import-columns.ts'
import type { RefusedLine } from '../domain/imports.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Html } from '../html/document.ts'
import { dateTimeText, numberText } from '../html/locale.ts'
import type { SentForm } from '../html/sent-form.ts'
import type { ImportPreview, StoredImport } from '../store/stored-import.ts'
import { ImportRunner, isUnderWay } from '../store/import-runner.ts'
import type { ManageRouter, FormAnswer, ManageVisit } from './manage-router.ts'
import { respondCsv } from './downloads.ts'
import { buttonForm, selectField, fileField, TYPED_FORM } from '../html/fields.ts'
import { LINE_FAULT_TEXTS, previewText, refusedRows } from './import-preview.ts'
import type { ManagePage } from './manage-layout.ts'
import type { ManageLocale } from './manage-locale.ts'

const MEGABYTE = 1_000_000
const MAX_FILE_MEGABYTES = 10

/** Refused lines of a file that are written at a time: others are answered in between. */
const SLICE = 500

/** The field that says whether erased customers come, too. */
const WITH_ERASED = 'withErased'

/** The field that says which preview was shown: nothing else is imported. */
const SHOWN_AT = 'shownAt'

/** How long a browser waits for the preview, before it is shown how far the reading is. */
const SHORT_READING_MS = 500

/** Seconds between two looks at an import that is under way. */
const RELOAD_SECONDS = 2

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
  reading: (m) => m.importStateReading(),
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
      submit: (visit, form) => this.#start(visit, form),
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
      <form
        method="post"
        action="${path('/data/imports')}"
        enctype="multipart/form-data"
        class="narrow"
        id="${TYPED_FORM}"
      >
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
    await this.#begin(business.key, id)
    return { to: `/data/imports/${id}`, done: 'file-read' }
  }

  /** Lets a file be read. Most are read at once, and their page shows the preview. */
  async #begin(business: BusinessKey, id: string): Promise<void> {
    const reading = this.#runner.run({ business, id })
    await Promise.race([reading, wait(SHORT_READING_MS, undefined, { ref: false })])
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
      refused === 0 || isUnderWay(found) ? [] : (await this.#runner.store.refusedLines(found)).lines
    const at = path(`/data/imports/${found.id}`)
    const number = (value: number): string => numberText(value, locale)
    const done = added + known
    const figure = (name: string, value: number): Html =>
      html`<div>
        <dt>${name}</dt>
        <dd>${number(value)}</dd>
      </div>`
    const discard = buttonForm(`${at}/discard`, m.importDiscard())
    const acts: Readonly<Record<StoredImport['state'], Html | ''>> = {
      reading: discard,
      previewed: html`${
        usable === 0
          ? ''
          : buttonForm(`${at}/start`, m.importStart(), {
              style: 'main',
              hidden: { [SHOWN_AT]: found.updatedAt }
            })
      }
      ${discard}`,
      running: buttonForm(`${at}/stop`, m.importStop()),
      stopped: html`${buttonForm(`${at}/start`, m.importGoOn(), { style: 'main' })} ${discard}`,
      done: ''
    }
    const sentences: Partial<Readonly<Record<StoredImport['state'], string>>> = {
      reading: m.importReading(),
      stopped: m.importStopped(),
      done: m.importDone()
    }
    const sentence = sentences[state]
    return {
      section: 'data',
      title: titleOf(found, locale),
      back: { path: path('/data'), text: m.data() },
      ...(preview === null ? {} : { hasForm: true }),
      ...(isUnderWay(found) ? { reloadAfter: RELOAD_SECONDS } : {}),
      ...(sentence === undefined ? {} : { done: sentence }),
      body: html`${
          isUnderWay(found) || state === 'stopped'
            ? html`<progress aria-label="${m.importTitle()}" max="${usable}" value="${done}"></progress>
                <p>${m.importProgress({ done: number(done), total: number(usable) })}</p>`
            : ''
        }
        ${
          state === 'reading'
            ? ''
            : html`<dl class="figures">
                ${figure(state === 'previewed' ? m.importToAdd() : m.importAdded(), added)}
                ${figure(m.importKnown(), known)}
                ${found.kind === 'customers' ? figure(m.pointsToGive(), points) : ''}
                ${figure(m.importRefused(), refused)}
              </dl>`
        }
        ${credited === 0 ? '' : html`<p>${m.importCredited({ number: number(credited) })}</p>`}
        ${preview === null ? '' : previewText(found, preview, locale)}
        <div class="buttons">${acts[state]}</div>
        ${preview === null ? '' : columnsForm(found, preview, lines, visit)}
        ${refused === 0 || isUnderWay(found) ? '' : refusedRows(lines, at, locale)}`
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
      return csvRecord([...cells, line.line, LINE_FAULT_TEXTS[line.fault](locale, line)], separator)
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
    await this.#begin(business.key, id)
    return { to: `/data/imports/${id}`, done: 'file-read' }
  }

  async #start({ business, c }: ManageVisit, form: SentForm): Promise<FormAnswer> {
    const id = c.req.param('import') ?? ''
    const to = `/data/imports/${id}`
    const isStarted = await this.#runner.store.start(business.key, id, form.text(SHOWN_AT))
    void this.#runner.run({ business: business.key, id })
    // Chosen otherwise in another window: the page shows what is imported now.
    return { to, done: isStarted ? 'import-started' : 'file-read' }
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

const titleOf = ({ kind }: StoredImport, { m }: ManageLocale): string =>
  kind === 'customers' ? m.importOfCustomers() : m.importOfRewards()

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
