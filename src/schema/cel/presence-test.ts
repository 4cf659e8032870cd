import type { ASTNode, Environment } from '@marcbachmann/cel-js';

/** What the library hands to a macro; it declares none of it. */
interface Checker {
  check(node: ASTNode, context: unknown): unknown;
  getType(name: string): unknown;
}

interface Evaluator {
  run(node: ASTNode, context: unknown): unknown;
}

interface Macro {
  readonly select: ASTNode & { readonly op: '.' };
}

/**
 * `has(self.byName[key].port)`. The library's own `has` takes no more than a chain of names, so rules are renamed to
 * this one before they are compiled.
 */
export function registerPresenceTest(environment: Environment): void {
  environment.registerFunction('hasField(ast): bool', ({ args: [select] }: { readonly args: readonly ASTNode[] }) => {
    if (select?.op !== '.') throw new Error('invalid argument to has() macro');
    return {
      select,
      typeCheck(checker: Checker, { select }: Macro, context: unknown) {
        checker.check(select, context);
        return checker.getType('bool');
      },
      evaluate(evaluator: Evaluator, { select }: Macro, context: unknown) {
        const [operand, field] = select.args;
        const value = evaluator.run(operand, context);
        return value instanceof Map ? value.has(field) : value !== null && Object.hasOwn(value as object, field);
      },
    };
  });
}
