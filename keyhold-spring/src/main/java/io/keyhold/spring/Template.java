package io.keyhold.spring;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.ParserContext;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ObjectUtils;

/** A text with expressions in <code>#{…}</code>. What arguments contain is never read as an expression. */
final class Template {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();

    private final String text;
    private final Expression expression;

    private Template(String text, Expression expression) {
        this.text = text;
        this.expression = expression;
    }

    /**
     * Parses a text whose placeholders are resolved.
     *
     * @param variables the names that expressions may use
     * @throws IllegalArgumentException if it is no such text
     */
    static Template parse(String text, Set<String> variables) {
        try {
            Expression expression = PARSER.parseExpression(text, ParserContext.TEMPLATE_EXPRESSION);
            for (Expression part : parts(expression)) {
                if (part instanceof SpelExpression spel) {
                    checkVariables(spel.getAST(), text, variables);
                }
            }
            return new Template(text, expression);
        } catch (ParseException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' has an expression that cannot be parsed: " + e.getMessage(), e);
        }
    }

    private static List<Expression> parts(Expression expression) {
        return expression instanceof CompositeStringExpression composite
                ? Arrays.asList(composite.getExpressions())
                : List.of(expression);
    }

    private static void checkVariables(SpelNode node, String text, Set<String> variables) {
        if (node instanceof FunctionReference) {
            throw new IllegalArgumentException(
                    "'" + text + "' calls " + node.toStringAST() + ", but there are no functions");
        }
        if (node instanceof VariableReference
                && !variables.contains(node.toStringAST().substring(1))) {
            throw new IllegalArgumentException("'" + text + "' uses " + node.toStringAST() + ", but there are only "
                    + variables + "; names of parameters need the compiler's option -parameters");
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            checkVariables(node.getChild(i), text, variables);
        }
    }

    /** Returns its value as a switch. */
    boolean isTrue(EvaluationContext context) {
        Object value = value(expression, context);
        return switch (String.valueOf(value)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("'" + text + "' must be true or false, was " + value);
        };
    }

    /** Adds its value to the keys: one, or several if it is one expression that returns a collection or an array. */
    void addKeys(EvaluationContext context, Set<String> keys) {
        if (expression instanceof CompositeStringExpression) {
            StringBuilder key = new StringBuilder();
            parts(expression).forEach(part -> key.append(notNull(value(part, context), part)));
            keys.add(key.toString());
            return;
        }
        for (Object key : several(notNull(value(expression, context), expression))) {
            keys.add(notNull(key, expression).toString());
        }
    }

    private static Collection<?> several(Object value) {
        if (value instanceof Iterable<?> many) {
            List<@Nullable Object> list = new ArrayList<>();
            many.forEach(list::add);
            return list;
        }
        return value.getClass().isArray() ? Arrays.asList(ObjectUtils.toObjectArray(value)) : List.of(value);
    }

    private @Nullable Object value(Expression part, EvaluationContext context) {
        try {
            return part.getValue(context);
        } catch (EvaluationException e) {
            throw new IllegalArgumentException(
                    "#{" + part.getExpressionString() + "} in '" + text + "' failed: " + e.getMessage(), e);
        }
    }

    private Object notNull(@Nullable Object value, Expression part) {
        if (value == null) {
            throw new IllegalArgumentException(
                    "#{" + part.getExpressionString() + "} in '" + text + "' must not be null");
        }
        return value;
    }
}
