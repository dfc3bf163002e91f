/** Compares the till's clock, and what it knows of the shop's time zone, with each answer of the connected service. */
import { utcOffset } from '../../contract/time-zones.ts'
import type { Notice } from '../../contract/till.ts'
import type { Fetch } from '../loyalty/buffered-fetch.ts'
import { clockDifference } from '../loyalty/service-time.ts'

/** The time in the shop by its service (RFC 9557), of which the offset and the zone are read. */
const LOCAL_TIME = /^[\dT:-]{19}([+-]\d\d:\d\d)\[([^\]]+)\]$/

export interface ServiceClockDependencies {
  readonly notices: { add(notice: Notice): void; remove(kind: Notice['kind']): void }
}

/** Shows, updates and removes the notices. A dismissed notice returns when the difference changes. */
export class ServiceClock {
  readonly #dependencies: ServiceClockDependencies
  /** of the last notice; 0: none */
  #minutes = 0
  /** the last difference of zones; empty: none */
  #zones = ''
  #aheadMs = 0

  constructor(dependencies: ServiceClockDependencies) {
    this.#dependencies = dependencies
  }

  /** How far the till's clock was ahead of the last answer; 0 also where it can be ignored. */
  get aheadMs(): number {
    return this.#aheadMs
  }

  /** Returns a fetch that sends the same requests, and compares each answer that is not an error. */
  watch(fetch: Fetch): Fetch {
    return async (request) => {
      const requestedAt = new Date()
      const response = await fetch(request)
      const told = new Date(response.headers.get('date') ?? '')
      if (response.ok && !Number.isNaN(told.getTime())) {
        this.#compareClocks(clockDifference(told, requestedAt, new Date()))
        const [, offset, timeZone] = LOCAL_TIME.exec(response.headers.get('local-time') ?? '') ?? []
        if (offset !== undefined && timeZone !== undefined) this.#compareZones(timeZone, offset, told)
      }
      return response
    }
  }

  #compareClocks(differenceMs: number): void {
    this.#aheadMs = differenceMs
    const minutes = Math.round(differenceMs / 60_000)
    // Rounding and short delays move the difference by a minute.
    const isSame = minutes === 0 ? this.#minutes === 0 : Math.abs(minutes - this.#minutes) <= 1
    if (isSame) return
    const { notices } = this.#dependencies
    this.#minutes = minutes
    notices.remove('clock-differs')
    if (minutes !== 0) notices.add({ kind: 'clock-differs', minutesAhead: minutes })
  }

  /** @param moment by the service: the till's clock may be wrong */
  #compareZones(timeZone: string, serviceOffset: string, moment: Date): void {
    const tillOffset = utcOffset(timeZone, moment)
    const zones = tillOffset === serviceOffset ? '' : `${timeZone} ${tillOffset} ${serviceOffset}`
    if (zones === this.#zones) return
    const { notices } = this.#dependencies
    this.#zones = zones
    notices.remove('time-zone-differs')
    if (zones !== '') notices.add({ kind: 'time-zone-differs', timeZone, tillOffset, serviceOffset })
  }
}
