/** *Data*: backups, import and export. */
import { html } from 'hono/html'
import { csvSeparator, PROGRAM_CSV, spreadsheetCsv } from '../../contract/text.ts'
import { ExportStore } from '../store/exports.ts'
import { BackupSection } from './data-backup.ts'
import { ImportSection } from './data-import.ts'
import type { ManageRouter, ManageVisit } from './manage-router.ts'
import { respondCsv } from './downloads.ts'
import type { ManagePage } from './manage-layout.ts'

type Csv = AsyncGenerator<string>

/** The routes of *Data*. */
export class DataPages {
  readonly #router: ManageRouter
  readonly #backups: BackupSection
  readonly #imports: ImportSection

  constructor(router: ManageRouter) {
    this.#router = router
    this.#backups = new BackupSection(router)
    this.#imports = new ImportSection(router)
  }

  addRoutes(): void {
    const router = this.#router
    router.page('/data', 'owner', (visit) => this.#show(visit))
    this.#backups.addRoutes()
    this.#imports.addRoutes()
    for (const use of ['spreadsheet', 'program'] as const) {
      const file = (
        name: 'customers' | 'rewards' | 'entries',
        csv: (visit: ManageVisit) => Promise<Csv>
      ): void => {
        const path = use === 'program' ? `${name}-program.csv` : `${name}.csv`
        router.page(`/data/${path}`, 'owner', async (visit) => respondCsv(path, await csv(visit)))
      }
      file('customers', (visit) => Promise.resolve(this.#exports(visit, use).customers()))
      file('rewards', (visit) => Promise.resolve(this.#exports(visit, use).rewards()))
      file('entries', async (visit) => this.#exports(visit, use).entries(await router.makers(visit.business)))
    }
  }

  #exports({ business, locale }: ManageVisit, use: 'spreadsheet' | 'program'): ExportStore {
    const format = use === 'program' ? PROGRAM_CSV : spreadsheetCsv(csvSeparator(locale.tag))
    return new ExportStore(this.#router.dependencies.database, business, format)
  }

  async #show(visit: ManageVisit): Promise<ManagePage> {
    const { locale, path } = visit
    const { m } = locale
    const download = (name: string, text: string) =>
      html`<a class="button quiet" href="${path(`/data/${name}.csv`)}" download>${text}</a>`
    return {
      section: 'data',
      title: m.data(),
      hasForm: true,
      body: html`${await this.#backups.section(visit)} ${await this.#imports.section(visit)}
        <h2>${m.exportTitle()}</h2>
        <p>${m.exportText()}</p>
        <p class="buttons">
          ${download('customers', m.exportCustomers())} ${download('rewards', m.exportRewards())}
          ${download('entries', m.exportEntries())}
        </p>
        <p>${m.exportProgramText()}</p>
        <p class="buttons">
          ${download('customers-program', m.exportProgramCustomers())}
          ${download('rewards-program', m.exportProgramRewards())}
          ${download('entries-program', m.exportProgramEntries())}
        </p>`
    }
  }
}
