/** One message of a conversation with a model. */
export interface Message {
  readonly role: string
  readonly text: string
  /** Of the tool whose result it is. */
  readonly name: string | undefined
  readonly pictures: number
  readonly toolCalls: readonly { readonly name: string; readonly arguments: string }[]
}

/** What a record of a call says was sent. */
export function promptOf(json: string): { readonly messages: readonly Message[]; readonly tools: readonly string[] } {
  const prompt = membersOf(parsed(json))
  return {
    messages: itemsOf(prompt['messages']).map(messageOf),
    tools: itemsOf(prompt['tools']).map((tool) => textOf(membersOf(tool)['name'])),
  }
}

/** What a record of a call says the model returned. */
export function answerOf(json: string): Message {
  return { ...messageOf(parsed(json)), role: 'assistant' }
}

function messageOf(value: unknown): Message {
  const { role, text, content, name, images, toolCalls } = membersOf(value)
  return {
    role: textOf(role),
    text: typeof text === 'string' ? text : typeof content === 'string' ? content : '',
    name: typeof name === 'string' ? name : undefined,
    pictures: itemsOf(images).length,
    toolCalls: itemsOf(toolCalls).map((call) => ({
      name: textOf(membersOf(call)['name']),
      arguments: textOf(membersOf(call)['arguments']),
    })),
  }
}

/** An erasure may leave a text that is no JSON any more; it is shown as one message. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return { text: json, messages: [{ role: '', text: json }] }
  }
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> => Object(value)
const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
