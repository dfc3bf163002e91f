/** Whether the sheet with the keys and the help is open. */
export class Help {
  open = $state(false)
}
