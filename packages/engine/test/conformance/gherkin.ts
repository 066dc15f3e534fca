/** A step of a scenario: its text after the keyword, and what stands below it: a block of text, or a table. */
export interface Step {
  readonly text: string
  readonly block: string | undefined
  readonly table: readonly (readonly string[])[] | undefined
}

export interface Scenario {
  readonly feature: string
  readonly name: string
  /** Without the `@`; those of the feature come first. */
  readonly tags: readonly string[]
  readonly steps: readonly Step[]
}

interface Section {
  readonly kind: 'feature' | 'background' | 'scenario' | 'outline' | 'examples'
  readonly title: string
  readonly tags: readonly string[]
  readonly steps: { text: string; block: string | undefined; table: string[][] | undefined }[]
  /** Of examples; the first has the names. */
  readonly rows: string[][]
}

const openings: readonly (readonly [kind: Section['kind'], keyword: string])[] = [
  ['feature', 'Feature:'],
  ['background', 'Background:'],
  ['outline', 'Scenario Outline:'],
  ['scenario', 'Scenario:'],
  ['examples', 'Examples:'],
]

/**
 * Reads scenarios written in Gherkin: features with a description, a background, scenarios, outlines with examples, doc strings, tables, tags and comments.
 * Throws for everything else, so that nothing that somebody wrote is passed over.
 */
export function parseFeature(text: string): readonly Scenario[] {
  const sections = sectionsOf(text)
  const scenarios: Scenario[] = []
  let feature: Section | undefined
  let background: Section | undefined
  for (const [index, section] of sections.entries()) {
    const { kind, title, steps } = section
    if (kind === 'feature') feature = section
    else if (kind === 'background') background = section
    else if (kind === 'examples') {
      const outline = sections.slice(0, index).findLast((one) => one.kind !== 'examples')
      if (outline?.kind !== 'outline') throw new Error('examples stand below no outline')
    } else {
      const tags = [...(feature?.tags ?? []), ...section.tags]
      const whole = { feature: feature?.title ?? '', name: title, tags, steps: [...(background?.steps ?? []), ...steps] }
      if (kind === 'scenario') scenarios.push(whole)
      else scenarios.push(...instancesOf(whole, examplesBelow(sections, index)))
    }
  }
  return scenarios
}

function sectionsOf(text: string): readonly Section[] {
  const sections: Section[] = []
  let tags: string[] = []
  let block: { readonly indent: number; readonly lines: string[] } | undefined
  for (const line of text.split(/\r?\n/)) {
    const trimmed = line.trim()
    const section = sections.at(-1)
    if (trimmed.startsWith('"""')) {
      const step = section?.steps.at(-1)
      if (step === undefined) throw new Error('a block of text stands below no step')
      if (block === undefined) block = { indent: line.indexOf('"'), lines: [] }
      else {
        step.block = block.lines.join('\n')
        block = undefined
      }
    } else if (block !== undefined) block.lines.push(withoutIndent(line, block.indent))
    else if (trimmed === '' || trimmed.startsWith('#')) continue
    else if (trimmed.startsWith('@')) tags.push(...tagsOf(trimmed))
    else {
      const opening = openings.find(([, keyword]) => trimmed.startsWith(keyword))
      if (opening === undefined) addLine(section, trimmed)
      else {
        const [kind, keyword] = opening
        sections.push({ kind, title: trimmed.slice(keyword.length).trim(), tags, steps: [], rows: [] })
        tags = []
      }
    }
  }
  if (block !== undefined) throw new Error('a block of text has no end')
  if (tags.length > 0) throw new Error(`tags stand above nothing: ${tags.join(' ')}`)
  return sections
}

function addLine(section: Section | undefined, line: string): void {
  const text = /^(?:Given|When|Then|And|But)\s+(.*)$/.exec(line)?.[1]
  if (section === undefined) throw new Error(`not understood: ${line}`)
  if (section.kind === 'feature') {
    // What a feature is for, in free text.
    if (text !== undefined) throw new Error(`a step stands outside of a scenario: ${line}`)
  } else if (line.startsWith('|')) {
    const step = section.steps.at(-1)
    if (section.kind === 'examples') section.rows.push(cellsOf(line))
    else if (step === undefined) throw new Error(`a table stands below no step: ${line}`)
    else (step.table ??= []).push(cellsOf(line))
  } else if (text === undefined || section.kind === 'examples') throw new Error(`not understood: ${line}`)
  else section.steps.push({ text: text.replace(/^given /, ''), block: undefined, table: undefined })
}

function examplesBelow(sections: readonly Section[], index: number): readonly Section[] {
  const below = sections.slice(index + 1)
  const end = below.findIndex(({ kind }) => kind !== 'examples')
  const examples = end === -1 ? below : below.slice(0, end)
  if (examples.length === 0) throw new Error(`the outline "${sections[index]?.title ?? ''}" has no examples`)
  return examples
}

function instancesOf(outline: Scenario, examples: readonly Section[]): readonly Scenario[] {
  return examples.flatMap(({ rows: [names = [], ...rows], tags }) =>
    rows.map((cells) => {
      if (cells.length !== names.length)
        throw new Error(`an example of "${outline.name}" has ${cells.length} cells for ${names.length} names`)
      const fill = (text: string) => names.reduce((filled, name, index) => filled.replaceAll(`<${name}>`, cells[index] ?? ''), text)
      const steps = outline.steps.map(({ text, block, table }) => ({
        text: fill(text),
        block: block === undefined ? undefined : fill(block),
        table: table?.map((row) => row.map(fill)),
      }))
      const name = fill(outline.name)
      return { ...outline, name: name === outline.name ? `${name} (${cells.join(', ')})` : name, tags: [...outline.tags, ...tags], steps }
    }),
  )
}

function tagsOf(line: string): readonly string[] {
  return line.split(/\s+/).map((tag) => {
    if (!/^@[\w:.-]+$/.test(tag)) throw new Error(`no tag: ${tag}`)
    return tag.slice(1)
  })
}

/** Cells of a row; a bar inside one is written `\|`. */
function cellsOf(line: string): string[] {
  if (!line.endsWith('|')) throw new Error(`a row of a table has no end: ${line}`)
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll(String.raw`\|`, '|'))
}

function withoutIndent(line: string, indent: number): string {
  return line.slice(0, indent).trim() === '' ? line.slice(indent) : line.trimStart()
}
