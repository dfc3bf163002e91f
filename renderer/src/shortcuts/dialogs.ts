/** Whether something is open over the page that has to be dealt with first. */
export const isDialogOpen = (page: Document): boolean =>
  page.querySelector('[role="dialog"], [role="alertdialog"]') !== null
