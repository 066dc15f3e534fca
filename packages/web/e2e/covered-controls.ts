/**
 * Is evaluated in the page: the controls that a press of the mouse does not reach, because another element lies over them. What is scrolled out of its part of
 * the page, or lies below a bar that stays in place or an open dialog, is reached by scrolling or closing.
 */
export const coveredControls = `(() => {
  const root = document.querySelector('dialog[open]') ?? document
  const above = function* (element) { for (let one = element; one !== null; one = one.parentElement) yield one }
  const stays = (element) => ['fixed', 'sticky'].includes(getComputedStyle(element).position)
  const clips = (element) => getComputedStyle(element).overflow !== 'visible'
  const has = (element, x, y) => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    return x >= left && x <= right && y >= top && y <= bottom
  }
  const wordsOf = (element) => element.outerHTML.replaceAll(/\\s+/g, ' ').slice(0, 120)
  const found = []
  for (const control of root.querySelectorAll('a[href], button, input, select, textarea, summary')) {
    const [rect] = control.getClientRects()
    if (rect === undefined || rect.width < 2 || rect.height < 2 || getComputedStyle(control).pointerEvents === 'none') continue
    const x = rect.x + rect.width / 2
    const y = rect.y + rect.height / 2
    if ([...above(control.parentElement)].some((one) => clips(one) && !has(one, x, y))) continue
    const hit = document.elementFromPoint(x, y)
    if (hit === null || control.contains(hit) || hit.contains(control) || hit.closest('label')?.contains(control)) continue
    if ([...above(hit)].some((one) => stays(one) && !one.contains(control))) continue
    found.push('covered: ' + wordsOf(control) + ' by ' + wordsOf(hit))
  }
  return found.slice(0, 5)
})()`
