/** The targets of the links of a page to other files and headings; those to other sites and examples in code are left out. */
export function linksOf(page: string): readonly string[] {
  const text = page.replaceAll(/^```[^]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '')
  return [...text.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = '']) => target).filter((target) => !/^[a-z]+:/.test(target))
}

/** The anchors of the headings of a page, as GitHub makes them. */
export function anchorsOf(page: string): ReadonlySet<string> {
  const counts = new Map<string, number>()
  const anchors = new Set<string>()
  for (const [, heading = ''] of page.replaceAll(/^```[^]*?^```$/gm, '').matchAll(/^#{1,6} (.*)$/gm)) {
    const anchor = anchorOf(heading)
    const count = counts.get(anchor) ?? 0
    counts.set(anchor, count + 1)
    anchors.add(count === 0 ? anchor : `${anchor}-${count}`)
  }
  return anchors
}

/** The anchor of one heading. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}
