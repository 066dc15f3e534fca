/** Of each open dialog, whether something was typed in it that is lost when it closes. */
export const typedDialogs = new Set<() => boolean>()

/** Whether leaving the page loses what a person typed in a dialog. */
export function isTypedInDialog(): boolean {
  return [...typedDialogs].some((isTyped) => isTyped())
}
