import type { UpdateState } from '../../../electron/contract/updates.ts'
import { formatRecent } from '../format/dates.ts'
import { formatPercent } from '../format/percent.ts'
import { m } from './m.ts'
import type { Sentence } from './sentence.ts'

/** How far an update has come, in words. `timeZone`: the business's, for when it was looked for. */
export function updateSentence(update: UpdateState, timeZone: string | undefined): Sentence {
  switch (update.kind) {
    case 'off':
      return { sentence: m.updateOff() }
    case 'unsupported':
      return { sentence: m.updateUnsupported(), next: m.updateUnsupportedNext() }
    case 'unchecked':
      return { sentence: m.updateNotChecked() }
    case 'checking':
      return { sentence: m.updateChecking() }
    case 'newest':
      return { sentence: m.updateUpToDate({ time: formatRecent(update.checkedAt, new Date(), timeZone) }) }
    case 'downloading':
      return {
        sentence: m.updateDownloading({ version: update.version, percent: formatPercent(update.percent) })
      }
    case 'ready':
      return { sentence: m.updateReady(update), next: m.updateReadyNext() }
    case 'installing':
      return { sentence: m.updateInstalling(update) }
    case 'failed':
      return { sentence: m.updateFault(update), next: m.updateFaultNext(update) }
  }
}
