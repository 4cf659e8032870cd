/** The version of kilter, as `package.json` has it: a bundle has no such file beside it. */
export const version = '0.1.0';
