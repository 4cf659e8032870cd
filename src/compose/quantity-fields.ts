export const quantityFields: Readonly<Record<string, readonly string[]>> = {};
