/** The printers of this machine, and what would come out of them. */
import { ok, mapResult } from '../../contract/failure.ts'
import type { Use } from '../lazy.ts'
import type { Drawing, Printing } from '../printing/index.ts'
import type { Answers } from '../platform/ipc.ts'
import type { Slips } from '../slips/slip-service.ts'

/** Answers the calls of `bridge.printers`. */
export function printersAnswers(
  printing: Use<Printing>,
  slips: Use<Pick<Slips, 'samples'>>,
  drawing: Pick<Drawing, 'picture'>
): Answers['printers'] {
  return {
    list: async () => (await printing()).list(),
    async printTestPage(settings) {
      // A till without a printer tests what it has: its folder.
      if (settings.destination.kind === 'folder') return (await slips()).samples.toFolder(settings.paper)
      return mapResult(await (await printing()).testPage(settings), () => null)
    },
    async preview({ paper, slip }) {
      const sample = await (await slips()).samples.layOut(paper, slip)
      if (!sample.ok) return sample
      const { pdf, widthMillimetres, heightMillimetres, missing } = sample.value
      const picture = await drawing.picture(pdf)
      const image = picture ? `data:image/png;base64,${Buffer.from(picture).toString('base64')}` : ''
      return ok({ image, widthMillimetres, heightMillimetres, missing })
    }
  }
}
