"""The answered loop through the whole stack, with the prices of product.md §3."""

from datetime import timedelta

from tests.stack.world import ANA, Stack


async def test_debug(bot: Stack) -> None:
    await bot.says(ANA, "hola")
    print(bot.phone(ANA))
    title = bot.titles(ANA)[0]
    await bot.taps(ANA, title)
    print(bot.phone(ANA))
    row = await bot.appointment()
    print(row)
    bot.clock.travel(row.scheduled_at - timedelta(hours=2))
    await bot.scan()
    print(bot.phone(ANA)[-1])
    await bot.taps(ANA, "Confirmar")
    print(bot.phone(ANA)[-1])
