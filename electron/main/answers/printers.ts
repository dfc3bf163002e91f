/** The printers of this machine, and what would come out of them. */
import { good } from '../../contract/failure.ts'
import { drawPages, type Printing } from '../printing/index.ts'
import type { Answers } from '../shell/ipc.ts'
import type { Slips } from '../slips/index.ts'
import { greyPng } from './grey-png.ts'
import { mapped } from './mapped.ts'

/** Answers the calls of `bridge.printers`. */
export function printersAnswers(
  printing: Printing,
  { samples }: Pick<Slips, 'samples'>
): Answers['printers'] {
  return {
    list: () => printing.list(),
    async printTestPage(settings) {
      // A till without a printer tests what it has: its folder.
      if (settings.destination.kind === 'folder') return samples.toFolder(settings.paper)
      return mapped(await printing.testPage(settings), () => null)
    },
    async preview({ paper, slip }) {
      const sample = await samples.layOut(paper, slip)
      if (!sample.ok) return sample
      const { pdf, widthMillimetres, heightMillimetres, missing } = sample.value
      const [page] = await drawPages(pdf)
      const image = page ? `data:image/png;base64,${greyPng(page).toString('base64')}` : ''
      return good({ image, widthMillimetres, heightMillimetres, missing })
    }
  }
}
