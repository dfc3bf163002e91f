/** A backup of the till's journal that was stolen. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { business } from '../../../support/sample-business.ts'
import { MemorySettings } from '../../../support/session.ts'
import { createOfflineKeys } from '../../../support/offline-keys.ts'
import { openSlipService, press, valueOf } from '../slips/slip-service-fixture.ts'

const SECRET = Buffer.alloc(32, 7)
const TICKET = 'ticket-of-the-till'

it('has the codes that the till printed offline, and nothing with which others are made', async () => {
  const offlineKeys = createOfflineKeys({
    session: {
      mode: 'business',
      accepted: true,
      offlineSince: '2026-11-21T12:00:00.000Z',
      businessKey: 'b1'
    },
    settings: new MemorySettings()
  })
  const limits = { pointsOfCode: 500, pointsOfDay: 700, days: 3, codeValidityDays: 90 }
  await offlineKeys.accept(
    {
      ...{ key: 'K7Q2M0', secret: SECRET.toString('base64url'), ticket: TICKET, ...limits },
      ...{ address: 'HTTPS://POINTS.SHOP.EXAMPLE/Q/', timeZone: 'Europe/Athens', day: '2026-11-21' },
      renewAfter: '2026-11-21T13:00:00.000Z'
    },
    'b1'
  )
  const { slips, folder } = openSlipService({
    offlineKeys,
    currentBusiness: () => ({ ...business, extensions: ['codes/1', 'offline-codes/1'] })
  })
  const { slip } = valueOf(await slips.counter.issue(press(250)))
  expect(await slips.backups.backUpToday()).toBe(true)
  const backups = join(folder, 'backups')
  const files = readdirSync(backups).map((name) => readFileSync(join(backups, name)))
  expect(files.some((file) => file.includes(slip.code ?? '-'))).toBe(true)
  for (const file of files) {
    for (const text of [SECRET, SECRET.toString('base64url'), SECRET.toString('hex'), TICKET])
      expect(file.includes(text)).toBe(false)
  }
})
