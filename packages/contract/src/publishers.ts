/** Who may publish the workflows of an account: all who may edit them, or administrators and owners alone. */
export const publishers = ['members', 'admins'] as const
export type Publishers = (typeof publishers)[number]
