/** *Data*: backups, import and export. */
import { html } from 'hono/html'
import { csvSeparator } from '../../contract/text.ts'
import type { SentForm } from '../html/sent-form.ts'
import { ExportStore } from '../store/exports.ts'
import { BackupSection } from './data-backup.ts'
import { ImportSection } from './data-import.ts'
import type { Desk, ManageVisit } from './desk.ts'
import { respondCsv } from './downloads.ts'
import type { ManagePage } from './frame.ts'

/** The routes of *Data*. */
export class DataPages {
  readonly #desk: Desk
  readonly #backups: BackupSection
  readonly #imports: ImportSection

  constructor(desk: Desk) {
    this.#desk = desk
    this.#backups = new BackupSection(desk)
    this.#imports = new ImportSection(desk)
  }

  addRoutes(): void {
    const desk = this.#desk
    const show = (visit: ManageVisit, form?: SentForm): Promise<ManagePage> => this.#show(visit, form)
    desk.page('/data', 'owner', (visit) => show(visit))
    this.#backups.addRoutes(show)
    this.#imports.addRoutes(show)
    desk.page('/data/customers.csv', 'owner', (visit) =>
      Promise.resolve(respondCsv('customers.csv', this.#exports(visit).customers()))
    )
    desk.page('/data/rewards.csv', 'owner', (visit) =>
      Promise.resolve(respondCsv('rewards.csv', this.#exports(visit).rewards()))
    )
    desk.page('/data/entries.csv', 'owner', async (visit) => {
      const staff = await desk.staff.names(visit.business.key)
      return respondCsv('entries.csv', this.#exports(visit).entries(staff))
    })
  }

  #exports({ business, locale }: ManageVisit): ExportStore {
    return new ExportStore(this.#desk.dependencies.database, business, csvSeparator(locale.tag))
  }

  async #show(visit: ManageVisit, form?: SentForm): Promise<ManagePage> {
    const { locale, path } = visit
    const { m } = locale
    const download = (name: string, text: string) =>
      html`<a class="button quiet" href="${path(`/data/${name}.csv`)}" download>${text}</a>`
    return {
      section: 'data',
      title: m.data(),
      body: html`${await this.#backups.section(visit)} ${await this.#imports.section(visit, form)}
        <h2>${m.exportTitle()}</h2>
        <p>${m.exportText()}</p>
        <p class="buttons">
          ${download('customers', m.exportCustomers())} ${download('rewards', m.exportRewards())}
          ${download('entries', m.exportEntries())}
        </p>`
    }
  }
}
