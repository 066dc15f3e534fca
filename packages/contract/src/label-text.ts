/** A label of an execution. */
export interface ExecutionLabel {
  readonly name: string
  readonly value: string
}

/** Labels in one parameter of a query. */
export const labelsMax = 10
export const nameMax = 40
export const valueMax = 200

/** Labels as the parameter `label` has them. */
export function labelFilterOf(labels: readonly ExecutionLabel[]): string {
  return labels.map(({ name, value }) => `${name}:${value.replaceAll(/[\\,]/g, String.raw`\$&`)}`).join(',')
}

/** The labels in a text such as `order:4711,customer:ada@example.com`; undefined for another text. A comma in a value is written `\,`. */
export function parseLabelFilter(text: string): readonly ExecutionLabel[] | undefined {
  const labels = (text.match(/(?:\\.|[^\\,])+/gs) ?? []).map((part): ExecutionLabel => {
    const at = part.indexOf(':')
    return {
      name: part.slice(0, Math.max(0, at)).trim(),
      value: part
        .slice(at + 1)
        .replaceAll(/\\(.)/gs, '$1')
        .trim(),
    }
  })
  const isPossible = labels.every(({ name, value }) => name !== '' && name.length <= nameMax && value !== '' && value.length <= valueMax)
  return labels.length > 0 && labels.length <= labelsMax && isPossible ? labels : undefined
}
