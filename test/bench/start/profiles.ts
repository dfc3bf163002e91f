/** Folders of tills that were set up and closed, as the next day finds them. */
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as v from 'valibot'
import { journalBusinessId } from '../../../electron/main/session/data-owners.ts'
import { stateOf } from '../../e2e/support/bridge.ts'
import { openTill } from '../../e2e/support/till.ts'
import { environmentOf } from '../window/open.ts'
import { writeJournal } from '../../support/million-rows.ts'

const settingsSchema = v.object({ business: v.object({ id: v.string() }), baseUrl: v.string() })

/** Sets a till up in `folder` for the service at `url`, and closes it. Gives the id of its business in the journal. */
export async function setUpTill(folder: string, url: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const till = await openTill({ userData: folder, env: environmentOf(url) })
  await till.page.getByRole('searchbox').first().waitFor()
  // The profile is read behind the window, and kept for the next start; the journal is opened there.
  while ((await stateOf(till.page)).business === null) await wait(50)
  while (!existsSync(join(folder, 'journal.sqlite'))) await wait(50)
  await till.close()
  const { business, baseUrl } = v.parse(
    v.pipe(v.string(), v.parseJson(), settingsSchema),
    await readFile(join(folder, 'settings.json'), 'utf8')
  )
  return journalBusinessId(business.id, baseUrl)
}

/** A copy of a till's folder whose journal has so many rows. */
export async function withJournal(
  folder: string,
  copy: string,
  businessId: string,
  rows: number
): Promise<void> {
  await cp(folder, copy, {
    recursive: true,
    filter: (path) => !/journal\.sqlite(-\w+)?$|backups/.test(path)
  })
  writeJournal({ file: join(copy, 'journal.sqlite'), rows, scope: { training: false, businessId } })
}
