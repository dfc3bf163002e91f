/** Whether the time zones of the shops are those of the system: a country changes its clocks, and this program's list is older. */
import { execFile } from 'node:child_process'
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { utcOffset } from '../../../contract/time-zones.ts'
import { finding, joined, notSeen, right, type Diagnosis } from './diagnosis.ts'

const DAY_MS = 24 * 3_600_000
/** A year from now, in which each change of the clocks is seen. */
const DAYS = [0, 30, 60, 90, 120, 150, 180, 210, 240, 270, 300, 330, 365]

/** Where the system has its zones (tzset(3)). */
const systemFolder = (): string => process.env['TZDIR'] ?? '/usr/share/zoneinfo'

/** Returns what a zone is ahead of UTC as GNU date knows it; null where the system does not. */
const systemOffsets = async (
  timeZone: string,
  moments: readonly Date[]
): Promise<readonly string[] | null> => {
  try {
    // A zone without a file is UTC for the system.
    await access(join(systemFolder(), timeZone))
    const running = promisify(execFile)('date', ['--file=-', '+%:z'], {
      env: { ...process.env, TZ: timeZone }
    })
    running.child.stdin?.end(moments.map((moment) => `@${String(moment.getTime() / 1000)}\n`).join(''))
    return (await running).stdout.trim().split('\n')
  } catch {
    return null
  }
}

/** The release of the system's zones, such as `2026c`; null if they do not tell. */
const systemRelease = async (): Promise<string | null> => {
  const text = await readFile(join(systemFolder(), 'tzdata.zi'), 'utf8').catch(() => '')
  return /^# version (\S+)/.exec(text)?.[1] ?? null
}

const zoneReport = async (timeZone: string, now: Date): Promise<Diagnosis> => {
  const moments = DAYS.map((days) => new Date(now.getTime() + days * DAY_MS))
  const offsets = await systemOffsets(timeZone, moments)
  if (offsets === null) return notSeen(`Whether the time zone ${timeZone} is right: the system has no zones.`)
  const at = moments.find((moment, index) => utcOffset(timeZone, moment) !== offsets[index])
  if (at === undefined) return right(`The time zone ${timeZone} is that of the system.`)
  const own = process.versions['tz'] ?? ''
  const release = await systemRelease()
  // The pages go by this program's zones alone.
  if (release !== null && release < own) {
    return right(`The time zone ${timeZone} is newer (${own}) than that of the system (${release}).`)
  }
  const when = at === moments[0] ? 'is' : `will be from about ${at.toISOString().slice(0, 10)}`
  return finding(
    `The time zone ${timeZone} ${when} ${utcOffset(timeZone, at)} in this program (${own}) and ${offsets[moments.indexOf(at)] ?? ''} in the system (${release ?? 'unknown'}): days begin, and times are shown, at the wrong hour. Install a newer version of the service, or choose a zone with the right time for the shop until there is one.`
  )
}

/** Looks at the zones of the businesses. */
export const zonesReport = async (timeZones: readonly string[], now: Date): Promise<Diagnosis> =>
  joined(await Promise.all([...new Set(timeZones)].map((timeZone) => zoneReport(timeZone, now))))
