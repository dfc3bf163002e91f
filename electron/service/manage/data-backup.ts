/** Backups of *Data*. */
import { html } from 'hono/html'
import { COMPRESSED_END } from '../domain/backups.ts'
import type { Html } from '../html/document.ts'
import { dateTimeText, numberText } from '../html/locale.ts'
import type { BackupFolder } from './backups.ts'
import type { ManageRouter, FormAnswer, ManageVisit } from './manage-router.ts'
import { respondFile } from './downloads.ts'
import { buttonForm } from '../html/fields.ts'
import type { ManagePage } from './manage-layout.ts'
import type { ManageLocale } from './manage-locale.ts'

/** Backups that the page shows; the others are in their folder. */
const SHOWN = 30

/** Seconds between two looks at a backup that is being made. */
const RELOAD_SECONDS = 2

const sizeText = (bytes: number, { tag, language }: ManageLocale): string => {
  const [unit, size] = bytes < 1_000_000 ? ['kilobyte', 1000] : ['megabyte', 1_000_000]
  const format = new Intl.NumberFormat(tag, {
    style: 'unit',
    unit,
    // Arabic abbreviates one of the two.
    unitDisplay: language === 'ar' ? 'long' : 'short',
    maximumFractionDigits: 1
  })
  return format.format(bytes / size)
}

/** The routes and the section of the backups. */
export class BackupSection {
  readonly #router: ManageRouter
  readonly #backups: BackupFolder | undefined

  constructor(router: ManageRouter) {
    this.#router = router
    this.#backups = router.dependencies.backups
  }

  addRoutes(): void {
    const router = this.#router
    router.page('/data/backup', 'owner', (visit) => this.#watch(visit))
    router.form('/data/backup', 'owner', { submit: () => this.#start(), page: '/data' })
    router.form('/data/backup/cancel', 'owner', { submit: () => this.#cancel(), page: '/data' })
    router.page('/data/backups/:name', 'owner', (visit) => this.#download(visit))
  }

  /** Returns the section, which says what to do instead where a backup would have the data of other shops. */
  async section({ locale, path }: ManageVisit): Promise<Html> {
    const { m } = locale
    const backups = await this.#allowed()
    const title = html`<h2>${m.backupTitle()}</h2>`
    if (backups === null) {
      return html`${title}
        <p>${this.#backups === undefined ? m.backupPostgres() : m.backupSeveral()}</p>`
    }
    const made = await backups.list()
    return html`${title}
      <p>${m.backupText()}</p>
      ${
        backups.progress === null
          ? buttonForm(path('/data/backup'), m.backupNow(), { style: 'main' })
          : html`<p><a class="button quiet" href="${path('/data/backup')}">${m.backupWatch()}</a></p>`
      }
      ${
        made.length === 0
          ? html`<p class="muted">${m.backupNone()}</p>`
          : html`<ul class="rows">
              ${made.slice(0, SHOWN).map(({ name, at, bytes }) => {
                const time = dateTimeText(at, locale)
                return html`<li>
                  <span>${time}<span class="below">${sizeText(bytes, locale)}</span></span>
                  <a
                    class="button quiet"
                    href="${path(`/data/backups/${encodeURIComponent(name)}`)}"
                    aria-label="${m.backupDownloadOf({ time })}"
                    download
                    >${m.backupDownload()}</a
                  >
                </li>`
              })}
            </ul>`
      }`
  }

  /** The backups of a service whose data are this shop's alone. */
  async #allowed(): Promise<BackupFolder | null> {
    if (this.#backups === undefined || (await this.#router.onlyBusiness()) === null) return null
    return this.#backups
  }

  async #watch({ locale, path }: ManageVisit): Promise<ManagePage | null> {
    const { m } = locale
    const backups = await this.#allowed()
    if (backups === null) return null
    const frame = {
      section: 'data',
      title: m.backupTitle(),
      back: { path: path('/data'), text: m.data() }
    } as const
    const { progress, outcome } = backups
    if (progress === null) {
      const link = html`<p><a class="button" href="${path('/data')}">${m.data()}</a></p>`
      if (outcome === 'failed') return { ...frame, body: link, fault: m.backupFailed() }
      return { ...frame, body: link, ...(outcome === 'made' ? { done: m.backupMade() } : {}) }
    }
    const { done, total } = progress
    const text =
      total > 0 && done >= total
        ? m.backupChecking()
        : m.backupCopied({ percent: numberText(Math.floor((100 * done) / Math.max(1, total)), locale) })
    return {
      ...frame,
      reloadAfter: RELOAD_SECONDS,
      body: html`<progress
          aria-label="${m.backupTitle()}"
          max="${Math.max(1, total)}"
          value="${done}"
        ></progress>
        <p>${text}</p>
        ${buttonForm(path('/data/backup/cancel'), m.backupCancel())}`
    }
  }

  async #start(): Promise<FormAnswer> {
    await (await this.#allowed())?.start()
    return { to: '/data/backup', done: 'backup-started' }
  }

  async #cancel(): Promise<FormAnswer> {
    await (await this.#allowed())?.cancel()
    return { to: '/data', done: 'backup-cancelled' }
  }

  async #download({ c }: ManageVisit): Promise<Response | null> {
    const name = c.req.param('name') ?? ''
    const file = await (await this.#allowed())?.read(name)
    if (file === undefined || file === null) return null
    const type = name.endsWith(COMPRESSED_END) ? 'application/zstd' : 'application/vnd.sqlite3'
    return respondFile(file.content, { name, type, bytes: file.bytes })
  }
}
