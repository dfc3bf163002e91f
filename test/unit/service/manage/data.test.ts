/** *Data*: backups, import and export. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { zstdDecompressSync } from 'node:zlib'
import { expect, it, onTestFinished, vi } from 'vitest'
import { BackupFolder } from '../../../../electron/service/manage/backups.ts'
import { openSqlite } from '../../../../electron/service/store/sqlite.ts'
import { textOf, type Visitor } from '../pages/visitor.ts'
import { Shop } from '../store/shop.ts'
import { MAX_REQUEST_SECONDS } from '../../../../electron/service/api/requests.ts'
import { locationOf, openOffice } from './shop-office.ts'

const PROGRAM = join(import.meta.dirname, '../../../../electron/service/cli/main.ts')

const fileForm = (text: string | Uint8Array<ArrayBuffer>, kind = 'customers'): FormData => {
  const form = new FormData()
  form.set('kind', kind)
  form.set('file', new File([text], 'customers.csv', { type: 'text/csv' }))
  return form
}

/** Opens an office with the browser of its owner. */
const openData = async () => {
  const office = await openOffice()
  const owner = await office.signedIn('owner')
  const upload = async (text: string, kind?: string): Promise<string> => {
    const location = locationOf(await owner.upload(office.path('/data/imports'), fileForm(text, kind)))
    if (location === null) throw new Error('the file was refused')
    return location.replace(/\?.*/, '')
  }
  /** Sends a file, and resolves when it is read. */
  const uploadRead = async (text: string, kind?: string): Promise<string> => {
    const at = await upload(text, kind)
    await vi.waitFor(async () => expect((await owner.get(at)).headers.get('refresh')).toBeNull())
    return at
  }
  /** Presses *Import* on a page. */
  const start = async (at: string, page?: string): Promise<Response> => {
    const [, shownAt = ''] =
      /name="shownAt" value="([^"]+)"/.exec(page ?? (await (await owner.get(at)).text())) ?? []
    return owner.post(`${at}/start`, { shownAt })
  }
  return { ...office, owner, upload, uploadRead, start }
}

const downloaded = async (owner: Visitor, path: string): Promise<string> => {
  const response = await owner.get(path)
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+"$/)
  // Not by `text`, which takes the byte order mark away.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer())
}

const FILE =
  'name,phone,balance\nZoé,+306940000001,5\nΆννα,12,5\nAnna,+306940000003,1,1\nعلي,+30 694 000 0001,1\n'

it('shows what a file would do, imports it, and names each refused line', async () => {
  const { owner, uploadRead, start, path, shop } = await openData()
  await shop.register('+306940000009')
  expect(await textOf(await owner.get(path('/data')))).toContain(
    `At most 10 MB, in UTF-8. The file must arrive within ${String(MAX_REQUEST_SECONDS)} seconds`
  )
  const at = await uploadRead(`${FILE}Eva,+306940000009,7\n`)
  const preview = await textOf(await owner.get(at))
  expect(preview).toContain('To add 1 Known already 1 Points 12 Refused lines 3')
  expect(preview).toContain('Known customers who get the points of the file: 1')
  expect(preview).toMatch(
    /Line 3 This cannot be a phone .* Line 4 The line has more .* Line 5 The same as line 2\./
  )
  expect(await downloaded(owner, path('/data/customers.csv'))).not.toContain('Zoé')

  expect(locationOf(await start(at))).toBe(`${at}?done=import-started`)
  await vi.waitFor(async () => expect(await textOf(await owner.get(at))).toContain('The import is done.'))
  const done = await owner.get(at)
  expect(done.headers.get('refresh')).toBeNull()
  expect(await textOf(done)).toContain('Added 1 Known already 1 Points 12 Refused lines 3')
  expect(await downloaded(owner, `${at}/refused.csv`)).toBe(
    '\ufeffname,phone,balance,Line,Reason\r\n' +
      `Άννα,12,5,3,This cannot be a phone number of the shop’s country. One of another country begins with + and its code.\r\n` +
      `Anna,'+306940000003,1,4,"The line has more cells than the columns, or a quotation mark is open."\r\n` +
      `علي,'+30 694 000 0001,1,5,The same as line 2.\r\n`
  )
  expect(await downloaded(owner, path('/data/customers.csv'))).toContain(`Zoé,'+306940000001,,5,5,`)
  const entries = await downloaded(owner, path('/data/entries.csv'))
  expect(entries.match(/imported,[57],[57],,,,Ana,,\r\n/g)).toHaveLength(2)
  expect(await textOf(await owner.get(path('/data')))).toContain('Done')
})

it('writes refused lines in slices, so that others are answered in between', async () => {
  const { owner, uploadRead } = await openData()
  const lines = Array.from({ length: 1200 }, (_, index) => `Customer ${String(index)},12`)
  const at = await uploadRead(`name,phone\n${lines.join('\n')}`)
  const { body } = await owner.get(`${at}/refused.csv`)
  const chunks: Uint8Array[] = []
  for await (const chunk of body ?? []) chunks.push(chunk)
  // The names of the columns, and 500 lines at a time.
  expect(chunks).toHaveLength(4)
})

it('says that old phone numbers come as they are now, as which the customers are known', async () => {
  const { owner, uploadRead, shop } = await openData()
  await shop.register('+525512345678')
  const at = await uploadRead(
    'name,phone,balance\nAna,+5215512345678,5\nEva,+22997123456,7\nZoe,+33639980117,1\n'
  )
  const preview = await textOf(await owner.get(at))
  expect(preview).toContain('To add 2 Known already 1')
  expect(preview).toContain('Old phone numbers, which come as they are now: 2')
  expect(await textOf(await owner.get(await uploadRead(FILE)))).not.toContain('Old phone numbers')
})

it('changes nothing by an import of what it exported', async () => {
  const { owner, uploadRead, start, path, shop } = await openData()
  const customer = await shop.register('+306940000001', '=HYPERLINK("http://x.example","x")')
  await shop.adjust(customer, 40)
  await shop.offer(10, 1)
  const exports = ['customers', 'rewards', 'entries'] as const
  const all = () => Promise.all(exports.map((name) => downloaded(owner, path(`/data/${name}.csv`))))
  const before = await all()
  expect(before[0]).toContain(`"'=HYPERLINK(`)
  for (const [index, kind] of ['customers', 'rewards'].entries()) {
    const at = await uploadRead(before[index] ?? '', kind)
    expect(await textOf(await owner.get(at))).toContain('To add 0 Known already 1')
    await start(at)
    await vi.waitFor(async () => expect(await textOf(await owner.get(at))).toContain('The import is done.'))
  }
  expect(await all()).toEqual(before)
})

it('stops, goes on, and shows the progress by a page that is loaded again', async () => {
  const { owner, uploadRead, start } = await openData()
  const lines = Array.from({ length: 2000 }, (_, index) => `Zoé,+3069${String(10_000_000 + index)}`)
  const at = await uploadRead(`name,phone\n${lines.join('\n')}`)
  expect((await owner.get(at)).headers.get('refresh')).toBeNull()
  await start(at)
  const running = await owner.get(at)
  expect(running.headers.get('refresh')).toBe('2')
  expect(await textOf(running)).toMatch(/[\d,]+ of 2,000 .* Stop/)
  await owner.post(`${at}/stop`)
  const stopped = await textOf(await owner.get(at))
  expect(stopped).toContain('The import is stopped.')
  const [, count = ''] = /([\d,]+) of 2,000/.exec(stopped) ?? []
  expect(Number(count.replace(',', ''))).toBeLessThan(2000)
  await owner.post(`${at}/start`)
  await vi.waitFor(async () => expect(await textOf(await owner.get(at))).toContain('Added 2,000'))
})

it('shows how far the reading of a file is, by a page that is loaded again, and ends it', async () => {
  const { owner, upload, path, shop } = await openData()
  // Read up to the third look, and then no further.
  const [reached, released] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
  const write = shop.database.write.bind(shop.database)
  vi.spyOn(shop.database, 'write').mockImplementation(async (sql, values) => {
    const rows = await write(sql, values)
    if (sql.includes('SET added = $2, updated_at') && values?.[1] === 4000) {
      reached.resolve(undefined)
      await released.promise
    }
    return rows
  })
  const lines = Array.from({ length: 6000 }, (_, index) => `Zoé,+3069${String(10_000_000 + index)}`)
  const at = await upload(`name,phone\n${lines.join('\n')}`)
  await reached.promise
  const reading = await owner.get(at)
  expect(reading.headers.get('refresh')).toBe('2')
  const page = await reading.text()
  expect(page).toMatch(/<progress [^>]*max="6000" value="4000"/)
  expect(page).toContain('The file is being read. Nothing is imported yet.')
  expect(page).toContain('4,000 of 6,000')
  // There is no preview, and no way to import what it does not show.
  expect(page).not.toContain(`${at}/start`)
  expect(page).not.toContain('<dl')
  expect(locationOf(await owner.post(`${at}/start`))).toBe(`${at}?done=file-read`)
  expect(await textOf(await owner.get(path('/data')))).toContain('Being read')
  expect((await owner.get(`${at}/refused.csv`)).status).toBe(200)
  expect(locationOf(await owner.post(`${at}/discard`))).toBe(`${path('/data')}?done=import-discarded`)

  // What is read later does not bring it back.
  released.resolve(undefined)
  const other = await upload('name,phone\nZoé,+306940000001\n')
  await vi.waitFor(async () => expect(await textOf(await owner.get(other))).toContain('To add 1'))
  expect(await shop.database.read('SELECT kind FROM imports')).toEqual([{ kind: 'customers' }])
  expect(await shop.database.read('SELECT phone FROM customers')).toEqual([])
})

it('imports nothing but what the page showed, when the columns are chosen otherwise in another window', async () => {
  const { owner, uploadRead, start, shop } = await openData()
  const at = await uploadRead('name,phone,points,old\nZoé,+306940000001,5,9\n')
  const shown = await (await owner.get(at)).text()
  shop.now = new Date(shop.now.getTime() + 1000)
  await owner.post(`${at}/columns`, { name: '0', phone: '1', balance: '3' })
  for (const page of [shown, shown]) {
    expect(locationOf(await start(at, page))).toBe(`${at}?done=file-read`)
    await vi.waitFor(async () => expect(await textOf(await owner.get(at))).toContain('To add 1'))
  }
  expect(await shop.database.read('SELECT phone FROM customers')).toEqual([])
  expect(locationOf(await start(at))).toBe(`${at}?done=import-started`)
  await vi.waitFor(async () => expect(await textOf(await owner.get(at))).toContain('The import is done.'))
  expect(await shop.database.read('SELECT balance FROM customers')).toEqual([{ balance: 9 }])
})

it('keeps nothing of a file that is discarded, or of another form', async () => {
  const { owner, uploadRead, path, shop, visitor, staff, members } = await openData()
  const at = await uploadRead(FILE)
  expect(locationOf(await owner.post(`${at}/discard`))).toBe(`${path('/data')}?done=import-discarded`)
  expect((await owner.get(at)).status).toBe(404)
  for (const [text, sentence] of [
    ['', 'Choose a file.'],
    [new Uint8Array([0x6e, 0xe9, 0x0a]), 'not in UTF-8'],
    ['n\0a\0m\0e\0', 'not in UTF-8'],
    [`name,phone\n${'a\n'.repeat(200_001)}`, 'more than 200000 lines']
  ] as const) {
    const refused = await owner.upload(path('/data/imports'), fileForm(text))
    expect(await textOf(await owner.follow(refused))).toContain(sentence)
  }
  const large = await owner.submit(path('/data/imports'), { file: 'a'.repeat(10_100_000) })
  expect(await textOf(large)).toContain('Choose a smaller file.')
  expect(await shop.database.read('SELECT id FROM import_files')).toEqual([])

  // Of another shop of the same service.
  const other = await uploadRead(FILE)
  const second = await Shop.addTo(shop.database)
  const [row] = await shop.database.read('SELECT id FROM businesses WHERE business = $1', [second.business])
  const { id } = row as { id: string }
  const eva = await staff.add(second.business, { name: 'Eva', role: 'owner' })
  const stranger = visitor()
  stranger.setCookie(`staff-${id}`, (await staff.beginSession(eva)) ?? '')
  const there = other.replace(/.*\/data/, `/manage/${id}/data`)
  expect((await stranger.get(`/manage/${id}/data`)).status).toBe(200)
  expect((await stranger.get(there)).status).toBe(404)
  expect(await textOf(await stranger.submit(`${there}/start`))).toContain('no longer exists')
  expect(members.owner.name).toBe('Ana')
})

it('says what to do instead of a backup, where it would have the data of others or is in PostgreSQL', async () => {
  const { owner, path } = await openData()
  expect(await textOf(await owner.get(path('/data')))).toContain('The data are in PostgreSQL.')
  expect((await owner.get(path('/data/backup'))).status).toBe(404)
})

const openWithBackups = async (command?: readonly string[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'service-backups-'))
  const database = await openSqlite(join(folder, 'service.sqlite'))
  const errors: unknown[] = []
  const backups = new BackupFolder({
    folder: join(folder, 'backups'),
    command: command ?? [process.execPath, PROGRAM, 'backup', '--progress', '--data', folder, '--'],
    now: () => new Date('2026-11-21T10:00:00.000Z'),
    onError: (error) => errors.push(error)
  })
  onTestFinished(async () => {
    await backups.cancel()
    await database.close()
    rmSync(folder, { recursive: true })
  })
  const office = await openOffice(await Shop.addTo(database), backups)
  return { ...office, folder, errors, backups, owner: await office.signedIn('owner') }
}

it('makes a backup that can be saved, and lists it', async () => {
  const { owner, path, shop, folder, backups, addShop } = await openWithBackups()
  await shop.register('+306940000001', 'Zoé')
  expect(await textOf(await owner.get(path('/data')))).toContain('There is no backup yet.')
  expect(locationOf(await owner.post(path('/data/backup')))).toBe(
    `${path('/data/backup')}?done=backup-started`
  )
  const running = await owner.get(path('/data/backup'))
  expect(running.headers.get('refresh')).toBe('2')
  expect(await textOf(await owner.submit(path('/data/backup')))).toContain('A backup is being made.')
  await vi.waitFor(() => expect(backups.progress).toBeNull(), { timeout: 30_000 })
  expect(await textOf(await owner.get(path('/data/backup')))).toContain('The backup is made and checked.')

  const list = await (await owner.get(path('/data'))).text()
  expect(list).toContain(`href="${path('/data/backups/2026-11-21T100000.000Z.sqlite.zst')}"`)
  const saved = await owner.get(path('/data/backups/2026-11-21T100000.000Z.sqlite.zst'))
  const file = join(folder, 'saved.sqlite')
  expect(saved.headers.get('content-type')).toBe('application/zstd')
  writeFileSync(file, zstdDecompressSync(await saved.arrayBuffer()))
  const copy = new DatabaseSync(file, { readOnly: true })
  expect(copy.prepare('SELECT name FROM customers').all()).toEqual([{ name: 'Zoé' }])
  copy.close()
  for (const name of ['..%2Fservice.sqlite', '%2E%2E%2Fsaved.sqlite', 'x.sqlite', '..']) {
    expect((await owner.get(path(`/data/backups/${name}`))).status).toBe(404)
  }
  await addShop()
  expect(await textOf(await owner.get(path('/data')))).toContain('A backup has the data of all shops')
  expect((await owner.get(path('/data/backups/2026-11-21T100000.000Z.sqlite.zst'))).status).toBe(404)
}, 60_000)

/** A program that copies until it is ended. */
const ENDLESS = `process.stderr.write('pages: 1 of 4\\n'); setInterval(() => {}, 1000)`

it('leaves nothing open after HEAD of a file', async () => {
  const { owner, path, backups } = await openWithBackups()
  let isOpen = false
  const content = async function* (): AsyncGenerator<Uint8Array> {
    isOpen = true
    try {
      for (;;) yield await Promise.resolve(new Uint8Array(8))
    } finally {
      isOpen = false
    }
  }
  vi.spyOn(backups, 'read').mockImplementation(() => Promise.resolve({ bytes: 16, content: content() }))
  const response = await owner.head(path('/data/backups/2026-11-21T100000.000Z.sqlite.zst'))
  expect([response.status, response.headers.get('content-length'), response.body]).toEqual([200, '16', null])
  expect(isOpen).toBe(false)
})

it('shows how far a backup is, cancels it, and says that one failed', async () => {
  const { owner, path, folder, errors } = await openWithBackups([process.execPath, '-e', ENDLESS, '--'])
  await owner.post(path('/data/backup'))
  await vi.waitFor(async () =>
    expect(await textOf(await owner.get(path('/data/backup')))).toContain('25 % copied')
  )
  expect(locationOf(await owner.post(path('/data/backup/cancel')))).toBe(
    `${path('/data')}?done=backup-cancelled`
  )
  expect(readdirSync(join(folder, 'backups'))).toEqual([])
  expect(errors).toEqual([])

  const failing = await openWithBackups([
    process.execPath,
    '-e',
    `console.error('disk full'); process.exit(1)`,
    '--'
  ])
  await failing.owner.post(failing.path('/data/backup'))
  await vi.waitFor(() => expect(failing.backups.progress).toBeNull())
  expect(await textOf(await failing.owner.get(failing.path('/data/backup')))).toContain(
    'The backup was not made.'
  )
  expect(failing.errors).toEqual([new Error('The backup failed: disk full')])
})
