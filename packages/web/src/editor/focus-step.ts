/** The button of a step in the flow. */
export function stepButton(reference: string, within: ParentNode = document): HTMLElement | undefined {
  return [...within.querySelectorAll<HTMLElement>('[data-step]')].find((node) => node.dataset['step'] === reference)
}
