/** Whether a passkey can exist for the address of this page: browsers make none for a numeric address. */
export const canUsePasskeys = (): boolean =>
  'PublicKeyCredential' in globalThis && !/^(?:[\d.]+|\[.*\])$/.test(location.hostname) && globalThis.isSecureContext
