/** Protocols of model endpoints: OpenAI's, Anthropic's, and the OpenAI form of an Ollama runtime. */
export const modelKinds = ['openai', 'anthropic', 'ollama'] as const
export type ModelKind = (typeof modelKinds)[number]

/** What is kept of prompts and answers beside their digests. */
export const modelTexts = ['hashed', 'kept'] as const
export type ModelTexts = (typeof modelTexts)[number]

/** How an answer ended: whole, at its limit of tokens, with calls of tools, refused by the model. */
export const modelFinishes = ['stop', 'length', 'tools', 'refused', 'other'] as const
export type ModelFinish = (typeof modelFinishes)[number]

/**
 * Why a call failed: the provider refused it or cannot be reached, the time limit of the model, no readable answer, a limit of the account, a rule
 * about personal data, the end of what asked.
 */
export const modelFailures = ['provider', 'timeout', 'unreadable', 'quota', 'privacy', 'stopped'] as const
export type ModelCallFailure = (typeof modelFailures)[number]

export const modelCallStates = ['answered', 'failed'] as const
export type ModelCallState = (typeof modelCallStates)[number]

/** What a model is used for. */
export const modelRoles = ['fast', 'strong', 'vision', 'speech', 'embedding'] as const
export type ModelRole = (typeof modelRoles)[number]

/** The part of an error that names a role for which there is no model. */
export const noModelText = (role: ModelRole): string => `no model with the role "${role}"`

/** The role that the detail of such an error names; undefined for other errors. */
export function roleWithoutModel(detail: string | undefined): ModelRole | undefined {
  return detail === undefined ? undefined : modelRoles.find((role) => detail.includes(noModelText(role)))
}

/** The place of the first role for which the API of the kind has no operation; -1 if it serves all. */
export function unservedRole(kind: ModelKind, roles: readonly ModelRole[]): number {
  return kind === 'anthropic' ? roles.findIndex((role) => role === 'speech' || role === 'embedding') : -1
}
