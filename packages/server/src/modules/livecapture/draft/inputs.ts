import type { CapturedEvent } from '#modules/livecapture/model.ts'
import { fieldOf } from '#modules/livecapture/read/mask.ts'

/** An input of the draft. */
interface Input {
  readonly name: string
  readonly type: 'string' | 'number'
  readonly title: string | undefined
  readonly example: string | undefined
  readonly secret: boolean
}

export type Inputs = ReturnType<typeof createInputs>

/** Collects the inputs that a draft uses, with what is known of their fields. */
export function createInputs(changes: readonly CapturedEvent[]) {
  const used = new Map<string, Input>()
  const known = new Map(changes.map((change) => [fieldOf(change), change]))
  const taken = new Set<string>()

  function nameFor(field: string): string {
    const base = field
      .normalize('NFKD')
      .replaceAll(/[^A-Za-z0-9]+/g, '_')
      .replaceAll(/^_+|_+$/g, '')
      .slice(0, 60)
    const wanted = /^[A-Za-z]/.test(base) ? base : `field_${base}`.replace(/_$/, '')
    let name = wanted
    for (let count = 2; taken.has(name); count++) name = `${wanted}_${count}`
    taken.add(name)
    return name
  }

  return {
    /** The jq expression of an input; the same field is the same input. */
    expressionOf(field: string, type: Input['type'] = 'string'): string {
      let input = used.get(field)
      if (input === undefined) {
        const change = known.get(field)
        input = {
          name: nameFor(field),
          type,
          title: change?.label,
          example: change?.secret === true ? undefined : change?.value,
          secret: change?.secret === true,
        }
        used.set(field, input)
      }
      return `$workflow.input.${input.name}`
    },
    /** In the order in which their fields were filled in. */
    list(): readonly Input[] {
      const order = [...known.keys()]
      return [...used].toSorted(([one], [other]) => order.indexOf(one) - order.indexOf(other)).map(([, input]) => input)
    },
  }
}

/** The JSON Schema of the inputs. */
export function schemaOf(inputs: readonly Input[]) {
  return {
    type: 'object',
    properties: Object.fromEntries(
      inputs.map(({ name, type, title, example }) => [
        name,
        {
          type,
          ...(title === undefined ? {} : { title }),
          ...(example === undefined ? {} : { examples: [type === 'number' ? Number(example) : example] }),
        },
      ]),
    ),
    required: inputs.map(({ name }) => name),
  }
}
