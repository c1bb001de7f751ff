"""MovieLens 1M: a million ratings, from 1 to 5 stars, of 3883 films by 6040 users.

A sample is a list: four ints for the user (id, 0 for male or 1 for female, index of the age in `age_table`, job), the
id of the film, the list of the numbers of its categories, the list of the numbers of the words of its title, and
`[rating]`, from -3 (one star) to 5 (five stars). The file is `ml-1m.zip` with `movies.dat`, `users.dat` and
`ratings.dat`, whose fields are separated by `::`. Source: F. M. Harper, J. A. Konstan, "The MovieLens Datasets: History
and Context", ACM TiiS 5, 2015.

Fluid numbers categories and title words in the order of a Python set, which differs from process to process; here they
are numbered in the order of their first appearance in `movies.dat`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ..core.missing import missing_names
from ..reader.source import Reader
from .archives import format_error, zip_file
from .common import download

__all__ = [
    "age_table",
    "get_movie_title_dict",
    "max_job_id",
    "max_movie_id",
    "max_user_id",
    "movie_categories",
    "movie_info",
    "test",
    "train",
    "user_info",
]

URL = "https://dataset.bj.bcebos.com/movielens%2Fml-1m.zip"
MD5 = "c4d9eecfca2ab87c1945afe126590906"

age_table = [1, 18, 25, 35, 45, 50, 56]

_EXPECTED = "ml-1m.zip, a zip archive with ml-1m/movies.dat, ml-1m/users.dat and ml-1m/ratings.dat"
_TITLE = re.compile(r"(.*)\(\d+\)$")
_TEST_SHARE = 0.1


class MovieInfo:
    """A film: `index`, its id; `categories`, a list of names; `title`, without the year."""

    def __init__(self, index: int | str, categories: list[str], title: str) -> None:
        """Store the fields of a line of `movies.dat`."""
        self.index = int(index)
        self.categories = categories
        self.title = title

    def value(self) -> list[Any]:
        """Return the part of a sample that describes the film.

        Returns:
            A list: the id, the numbers of the categories, the numbers of the words of the title.

        Raises:
            DownloadError: the file is neither on this machine nor downloadable.
            FileFormatError: the archive is truncated or has another format.
        """
        films = _films()
        return [
            self.index,
            [films.categories[name] for name in self.categories],
            [films.words[word] for word in self.title.lower().split()],
        ]

    def __repr__(self) -> str:
        """Return the fields in the format of Fluid."""
        return f"<MovieInfo id({self.index}), title({self.title}), categories({self.categories})>"


class UserInfo:
    """A user: `index`, the id; `is_male`; `age`, the index of the age in `age_table`; `job_id`, from 0 to 20."""

    def __init__(self, index: int | str, gender: str, age: int | str, job_id: int | str) -> None:
        """Store the fields of a line of `users.dat`."""
        self.index = int(index)
        self.is_male = gender == "M"
        self.age = age_table.index(int(age))
        self.job_id = int(job_id)

    def value(self) -> list[int]:
        """Return the part of a sample that describes the user.

        Returns:
            A list of ints: the id, 0 for male or 1 for female, the index of the age in `age_table`, the job.
        """
        return [self.index, 0 if self.is_male else 1, self.age, self.job_id]

    def __repr__(self) -> str:
        """Return the fields in the format of Fluid."""
        gender = "M" if self.is_male else "F"
        return f"<UserInfo id({self.index}), gender({gender}), age({age_table[self.age]}), job({self.job_id})>"


class _Films(NamedTuple):
    info: dict[int, MovieInfo]
    categories: dict[str, int]
    words: dict[str, int]


def _lines(name: str, fields: int) -> Iterator[list[str]]:
    """Yield the fields of each line of a file of the archive."""
    path = download(URL, "movielens", MD5)
    for number, line in enumerate(zip_file(path, f"ml-1m/{name}", _EXPECTED).splitlines(), 1):
        parts = line.decode("latin-1").strip().split("::")
        if len(parts) != fields:
            raise format_error(path, f"line {number} of {name} has {len(parts)} fields, needs {fields}", _EXPECTED)
        yield parts


@lru_cache(maxsize=1)
def _films() -> _Films:
    """Return the films; they are read at the first call."""
    films = _Films({}, {}, {})
    for index, full_title, names in _lines("movies.dat", 3):
        title = _TITLE.match(full_title)
        if title is None or not index.isdecimal():
            path = download(URL, "movielens", MD5)
            raise format_error(
                path, f"movies.dat has a film {index!r}, {full_title!r}, needs an id and (year)", _EXPECTED
            )
        film = MovieInfo(index, names.split("|"), title.group(1))
        films.info[film.index] = film
        for name in film.categories:
            films.categories.setdefault(name, len(films.categories))
        for word in film.title.lower().split():
            films.words.setdefault(word, len(films.words))
    return films


@lru_cache(maxsize=1)
def _users() -> dict[int, UserInfo]:
    """Return the users by their ids; they are read at the first call."""
    users = {}
    for fields in _lines("users.dat", 5):
        try:
            user = UserInfo(*fields[:4])
        except ValueError as error:
            path = download(URL, "movielens", MD5)
            raise format_error(path, f"users.dat has a user {fields}: {error}", _EXPECTED) from error
        users[user.index] = user
    return users


_others = missing_names(__name__)


def __getattr__(name: str) -> Any:
    """Return the dicts under their names in 1.8.5; None before they are read."""
    states: dict[str, Any] = {"MOVIE_INFO": 0, "CATEGORIES_DICT": 1, "MOVIE_TITLE_DICT": 2}
    if name in states:
        return _films()[states[name]] if _films.cache_info().currsize else None
    if name == "USER_INFO":
        return _users() if _users.cache_info().currsize else None
    return _others(name)


def get_movie_title_dict() -> dict[str, int]:
    """Return the numbers of the words of the titles of all films.

    Returns:
        A dict from words, in lower case, to ints.

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: the archive is truncated or has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> paddle.dataset.movielens.get_movie_title_dict()["toy"]  # doctest: +SKIP
        0
    """
    return _films().words.copy()


def movie_categories() -> dict[str, int]:
    """Return the numbers of the categories of films.

    Returns:
        A dict from 18 names of categories to ints.

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: the archive is truncated or has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> len(paddle.dataset.movielens.movie_categories())  # doctest: +SKIP
        18
    """
    return _films().categories.copy()


def max_movie_id() -> int:
    """Return the greatest id of a film.

    Returns:
        An int: 3952.

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: the archive is truncated or has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> paddle.dataset.movielens.max_movie_id()  # doctest: +SKIP
        3952
    """
    return max(_films().info)


def max_user_id() -> int:
    """Return the greatest id of a user.

    Returns:
        An int: 6040.

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: the archive is truncated or has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> paddle.dataset.movielens.max_user_id()  # doctest: +SKIP
        6040
    """
    return max(_users())


def max_job_id() -> int:
    """Return the greatest number of a job.

    Returns:
        An int: 20.

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: the archive is truncated or has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> paddle.dataset.movielens.max_job_id()  # doctest: +SKIP
        20
    """
    return max(user.job_id for user in _users().values())


def user_info() -> dict[int, UserInfo]:
    """Return all users.

    Returns:
        A dict from ids to `UserInfo`.

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: the archive is truncated or has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> paddle.dataset.movielens.user_info()[1]  # doctest: +SKIP
        <UserInfo id(1), gender(F), age(1), job(10)>
    """
    return _users().copy()


def movie_info() -> dict[int, MovieInfo]:
    """Return all films.

    Returns:
        A dict from ids to `MovieInfo`.

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: the archive is truncated or has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> paddle.dataset.movielens.movie_info()[1].title  # doctest: +SKIP
        'Toy Story '
    """
    return _films().info.copy()


def train() -> Reader:
    """Return a reader of nine tenths of the ratings, drawn with a fixed seed, in the order of the file.

    Returns:
        A reader of `[user id, gender, age, job, film id, categories, title words, [rating]]`: five ints, two lists of
            ints, and a list of one float from -3 to 5.

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: the archive is truncated or has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> next(iter(paddle.dataset.movielens.train()()))[:4]  # doctest: +SKIP
        [1, 1, 0, 10]
    """
    return _reader(testing=False)


def test() -> Reader:
    """Return a reader of the ratings that are not in the training set, about a tenth, in the order of the file.

    Returns:
        A reader of `[user id, gender, age, job, film id, categories, title words, [rating]]`: five ints, two lists of
            ints, and a list of one float from -3 to 5.

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: the archive is truncated or has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> next(iter(paddle.dataset.movielens.test()()))[:4]  # doctest: +SKIP
        [1, 1, 0, 10]
    """
    return _reader(testing=True)


def _reader(testing: bool) -> Reader:
    """Return a reader of the test set (`testing`) or of the training set; a random draw for each rating decides."""
    films, users = movie_info(), user_info()

    def movielens_reader() -> Iterator[list[Any]]:
        draw = np.random.RandomState(0).random_sample  # Fluid seeds the global generator with 0 here
        for user, film, rating, _ in _lines("ratings.dat", 4):
            if (draw() < _TEST_SHARE) != testing:
                continue
            try:
                yield [*users[int(user)].value(), *films[int(film)].value(), [float(rating) * 2 - 5.0]]
            except (KeyError, ValueError) as error:
                path = download(URL, "movielens", MD5)
                raise format_error(path, f"ratings.dat: {type(error).__name__}: {error}", _EXPECTED) from error

    return movielens_reader


def fetch() -> None:
    """Download the file unless it is on this machine already.

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
    """
    download(URL, "movielens", MD5)
