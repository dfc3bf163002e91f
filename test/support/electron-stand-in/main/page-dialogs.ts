import type { PageTarget } from './page-target.ts'
import { recorder } from './recorder.ts'

/**
 * Answers a page's alert and confirm as Electron's message boxes would be: recorded, and by default as if the person
 * cancelled. A prompt is refused, as in Electron.
 */
export function answerPageDialogs(page: PageTarget): void {
  page.on('Page.javascriptDialogOpening', ({ type, message }) => {
    if (type === 'beforeunload') return
    const buttons = type === 'confirm' ? ['OK', 'Cancel'] : ['OK']
    recorder.record('dialog.showMessageBox', { options: { message, buttons } })
    const answer = recorder.take('dialog.showMessageBox', [{ message, buttons }], () => ({
      response: buttons.length - 1
    }))
    const response: unknown =
      typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'response') : answer
    const accept = type !== 'prompt' && response === 0
    page.send('Page.handleJavaScriptDialog', { accept }).catch(() => undefined)
  })
}
